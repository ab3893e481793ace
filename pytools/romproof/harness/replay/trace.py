"""What a run does, instruction by instruction: registers, bytes, accesses to memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from romproof.engine.protocol import Engine
from romproof.engine.registers import RegisterFile
from romproof.engine.space import READ_CALL, SIZE, WRITE_CALL
from romproof.harness.state.stubbed_board import StubbedBoard
from romproof.harness.state.tape import Callback
from romproof.isa.codec import decode
from romproof.program.image import Image

AHEAD = 4
"""Bytes that are kept of where an instruction stands; the longest has three."""

Look = Callable[[Engine], str]
"""Says something of the instruction that comes next, while nothing of it has happened yet."""


@dataclass(frozen=True, slots=True)
class TracedAccess:
    """A byte that an instruction read or wrote; ``cycle`` as a Watcher is told it. ``by`` says
    whose callback it was that wrote it; None for instructions."""

    address: int
    value: int
    is_write: bool
    cycle: int
    by: Callback | None = None


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One executed instruction, or a stub in place of a routine, which ``stub`` is the name of.

    ``data`` are the four bytes that stood there before it, b"" for an interrupt sequence, a
    cycle of a halted CPU and a stub. ``cycle`` counts from where the run began to before it;
    ``cycles``, its duration, is None for one that was refused, and so is ``after``. ``accesses``
    are those of the instruction, without its own bytes, in their order. ``note`` is what ``Look``
    said before. ``image`` is the part of the program that was in sight, for its names; None where
    that is always the same.
    """

    address: int
    data: bytes
    cycle: int
    cycles: int | None
    before: RegisterFile
    after: RegisterFile | None
    accesses: tuple[TracedAccess, ...] = ()
    note: str = ""
    image: Image | None = field(default=None, repr=False, compare=False)
    stub: str = ""

    @property
    def is_instruction(self) -> bool:
        """Whether it is none of an interrupt sequence, a cycle of a halted CPU, and a stub."""
        return bool(self.data)


@dataclass(slots=True)
class TracedAccesses:
    """Keeps the accesses that an address space is told to report; see Watcher."""

    callback: Callable[[TracedAccess], None]

    def on_uninitialised(self, address: int, value: int, cycle: int) -> None:
        """See Watcher."""

    def forbids(self, address: int, value: int, cycle: int, dummy: bool) -> bool:
        """See Watcher."""
        return False

    def on_access(self, address: int, value: int, cycle: int, is_write: bool) -> None:
        """See Watcher."""
        self.callback(TracedAccess(address, value, is_write, cycle))


@dataclass(slots=True)
class Stepper:
    """An observer that makes a Step of each instruction and stub and hands it to ``sink``.

    ``cpu`` is the name of its CPU, ``begun`` the engine's cycle where the run began, ``in_sight``
    gives the part of the program that is in sight, where that changes. Nobody else may watch the
    address space meanwhile.
    """

    engine: Engine
    cpu: str
    sink: Callable[[TraceStep], None]
    begun: int
    look: Look | None = None
    in_sight: Callable[[], Image] | None = None
    stage: StubbedBoard | None = None
    _accesses: list[TracedAccess] = field(default_factory=list)
    _before: RegisterFile = field(init=False)
    _data: bytes = b""
    _note: str = ""
    _image: Image | None = None

    def __post_init__(self) -> None:
        if self.stage is not None and self.stage.player is not None:
            self.stage.player.on_write = self._note_write
        bits = bytes([READ_CALL | WRITE_CALL]) * SIZE
        self.engine.space.watch(bits, TracedAccesses(self._accesses.append))
        self._prepare()

    def _prepare(self) -> None:
        """What is to be known of the next instruction before it is executed."""
        engine = self.engine
        self._before = engine.registers.copy()
        self._data = read_ahead(engine, engine.registers.pc)
        self._note = self.look(engine) if self.look is not None else ""
        self._image = self.in_sight() if self.in_sight is not None else None

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self._finish(pc, cycles, b"" if byte < 0 else self._data)
        self._prepare()

    def stub(self, pc: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self._finish(pc, cycles, b"", "" if self.stage is None else self.stage.stubbed)
        self._prepare()

    def _note_write(self, address: int, value: int, cycle: int, whose: Callback) -> None:
        """A callback of the test has written a byte."""
        self._accesses.append(TracedAccess(address, value, True, cycle, whose))

    def refuse(self) -> None:
        """The instruction that comes next was not executed; it counts as the last step."""
        self._finish(self.engine.registers.pc, None, self._data)

    def _finish(self, pc: int, cycles: int | None, data: bytes, stub: str = "") -> None:
        after = None if cycles is None else self.engine.registers.copy()
        instruction = decode(data, pc, self.cpu)
        size = instruction.opcode.size if instruction is not None else 0
        accesses = _drop_fetches(pc, size, self._accesses)
        self._accesses.clear()
        cycle = self.engine.cycles - (cycles or 0) - self.begun
        note, image = self._note, self._image
        before = self._before
        self.sink(TraceStep(pc, data, cycle, cycles, before, after, accesses, note, image, stub))


def read_ahead(engine: Engine, pc: int) -> bytes:
    """The bytes from ``pc`` on, as the CPU sees them."""
    peek = engine.space.peek
    return bytes([peek((pc + offset) & 0xFFFF) for offset in range(AHEAD)])


def _drop_fetches(pc: int, size: int, accesses: Sequence[TracedAccess]) -> tuple[TracedAccess, ...]:
    """The accesses of an instruction of ``size`` bytes without the reads of these, each of which
    comes before others of its address."""
    own = {(pc + offset) & 0xFFFF for offset in range(size)}
    left: list[TracedAccess] = []
    for access in accesses:
        if not access.is_write and access.address in own:
            own.remove(access.address)
        else:
            left.append(access)
    return tuple(left)
