"""What an engine can write down while it runs, and what it wrote down.

``engine.instrument(Instruments(...))`` begins a Recording; ``engine.instrument(None)`` ends it.
What is not asked for costs nothing: compiled code is made anew with what is wanted in it.
Dummy accesses, whose value the program does not use, count nowhere here.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from romproof.engine.inputs import BadEngineInput, check_map
from romproof.engine.space import READ_CALL, SIZE, UNINITIALISED, WRITE_CALL
from romproof.engine.stack import Move, moves
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow

READ, WRITTEN, EXECUTED = 1, 2, 4
"""Bits of the access map. EXECUTED: read as an opcode or as an operand that follows it."""
MAX_EVENTS = 1_000_000
NO_OPCODE = -1
"""The byte an observer gets when no instruction was executed, but an interrupt sequence
or a cycle of a halted CPU."""

Raw = tuple[int, int, int, int, int]
"""An executed instruction: cycle, pc, next_pc, stack, number."""


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """An access: ``cycle`` cycles had passed before it, in the instruction at ``pc``."""

    pc: int
    address: int
    value: int
    cycle: int
    is_write: bool


class CallKind(Enum):
    """How a routine was entered or left."""

    CALL = "call"
    RETURN = "return"
    """From a routine or from an interrupt handler."""
    INTERRUPT = "interrupt"
    """Of the hardware, or by an instruction (6502 ``brk``)."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A call or return: ``stack`` is the stack pointer after it, ``cycle`` counts before it."""

    kind: CallKind
    pc: int
    target: int
    stack: int
    cycle: int


@dataclass(frozen=True, slots=True)
class Traced:
    """An executed instruction. ``cycle`` cycles had passed before it; ``stack`` is after it.

    ``number`` is that of its microcode: the index of its opcode, or that of a sequence (see
    romproof.isa.cpu) when it was no instruction.
    """

    cycle: int
    pc: int
    next_pc: int
    stack: int
    number: int


@dataclass(frozen=True, slots=True)
class Watchpoint:
    """The addresses ``first`` to ``last``; ``reads`` and ``writes`` say what is wanted.

    Opcodes and operands are read, too, when they are executed.
    ``callback`` is called for each access after it happened, and may look at the engine's memory;
    what it raises ends the run. Without one, accesses are recorded.
    """

    first: int
    last: int
    reads: bool = True
    writes: bool = True
    callback: Callable[[MemoryEvent], object] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last < SIZE:
            raise BadEngineInput(
                f"a watchpoint from {self.first} to {self.last}: not within 0 to {SIZE - 1}"
            )


@dataclass(frozen=True, slots=True)
class Instruments:
    """What is to be written down.

    ``counts``: how often each address was executed, and for how many cycles. ``access``: which
    addresses were read, written, executed. ``calls``: calls and returns. ``trace``: the last so
    many instructions. ``watch``: accesses to some addresses.

    The maps have one byte for each of the 65,536 addresses. ``uninitialised`` is nonzero where
    memory is initialised; reads from elsewhere are recorded, the first one of each address
    until it is written (devices do not count). ``rom_writes`` is nonzero where memory is
    read-only: writes there are recorded and do not happen. Where a guard protects memory, a
    write is a fault as ever. ``most`` is how many events of a kind are stored: the last ones.
    Raises BadInput.
    """

    counts: bool = False
    access: bool = False
    calls: bool = False
    trace: int = 0
    uninitialised: bytes | None = None
    rom_writes: bytes | None = None
    watch: tuple[Watchpoint, ...] = ()
    most: int = MAX_EVENTS

    def __post_init__(self) -> None:
        check_map("uninitialised", self.uninitialised)
        check_map("rom_writes", self.rom_writes)
        if self.trace < 0 or self.most < 1:
            raise BadEngineInput(f"trace={self.trace}, most={self.most}: these cannot be stored")

    def actions(self) -> bytes:
        """The bits of the address space's ``actions`` that must be set for all this."""
        bits = bytearray(SIZE)
        for point in self.watch:
            wanted = (READ_CALL if point.reads else 0) | (WRITE_CALL if point.writes else 0)
            for address in range(point.first, point.last + 1):
                bits[address] |= wanted
        combined = int.from_bytes(bits, "little")
        for where, table in (
            (self.uninitialised, bytes([UNINITIALISED]) + bytes(255)),
            (self.rom_writes, bytes(1) + bytes([WRITE_CALL]) * 255),
        ):
            if where is not None:
                combined |= int.from_bytes(where.translate(table), "little")
        return combined.to_bytes(SIZE, "little")


@dataclass(slots=True)
class Recording:
    """What was written down; it grows while the engine runs. What was not asked for is empty.

    ``executions`` and ``cycles`` have one number for each address: how often an instruction
    there was executed, and the cycles it took. Interrupt sequences and the cycles of a halted
    CPU add to ``cycles`` of the address that comes next. ``access`` has the bits READ, WRITTEN
    and EXECUTED of each address. Of instructions that ended in a fault only the accesses are
    there that took place.
    """

    instruments: Instruments
    cpu: Cpu = field(repr=False)
    executions: array[int] = field(init=False, repr=False)
    cycles: array[int] = field(init=False, repr=False)
    access: bytearray = field(init=False, repr=False)
    uninitialised: deque[MemoryEvent] = field(init=False, repr=False)
    rom_writes: deque[MemoryEvent] = field(init=False, repr=False)
    watched: deque[MemoryEvent] = field(init=False, repr=False)
    raw_calls: deque[Raw] = field(init=False, repr=False)
    raw_trace: Iterable[Raw] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        wanted = self.instruments
        zeros = bytes(8 * SIZE if wanted.counts else 0)
        self.executions, self.cycles = array("Q", zeros), array("Q", zeros)
        self.access = bytearray(SIZE if wanted.access else 0)
        self.uninitialised, self.rom_writes, self.watched = (
            deque(maxlen=wanted.most) for _ in range(3)
        )
        self.raw_calls = deque(maxlen=wanted.most)
        self.raw_trace = deque(maxlen=wanted.trace)

    @property
    def calls(self) -> list[CallEvent]:
        """Calls and returns, in their order."""
        kinds = call_kinds(self.cpu.name)
        calls = []
        for cycle, pc, target, stack, number in self.raw_calls:
            kind = kinds[number]
            assert kind is not None
            calls.append(CallEvent(kind, pc, target, stack, cycle))
        return calls

    @property
    def trace(self) -> list[Traced]:
        """The last instructions, the last one at the end."""
        return [Traced(*raw) for raw in self.raw_trace]


class SpaceListener:
    """Records what the address space reports. ``pc`` gives the instruction's address."""

    def __init__(self, recording: Recording, pc: Callable[[], int]) -> None:
        self._recording = recording
        self._pc = pc
        self._read_only = recording.instruments.rom_writes

    def on_uninitialised(self, address: int, value: int, cycle: int) -> None:
        """A byte was read that nobody has written."""
        event = MemoryEvent(self._pc(), address, value, cycle, is_write=False)
        self._recording.uninitialised.append(event)

    def forbids(self, address: int, value: int, cycle: int, dummy: bool) -> bool:
        """Whether a write must not happen."""
        if self._read_only is None or not self._read_only[address]:
            return False
        if not dummy:
            event = MemoryEvent(self._pc(), address, value, cycle, is_write=True)
            self._recording.rom_writes.append(event)
        return True

    def on_access(self, address: int, value: int, cycle: int, is_write: bool) -> None:
        """A byte was read or written."""
        for point in self._recording.instruments.watch:
            wanted = point.writes if is_write else point.reads
            if wanted and point.first <= address <= point.last:
                event = MemoryEvent(self._pc(), address, value, cycle, is_write)
                if point.callback is None:
                    self._recording.watched.append(event)
                else:
                    point.callback(event)


@cache
def call_kinds(name: str) -> tuple[CallKind | None, ...]:
    """For each microcode of a CPU, what kind of call it is when it moves the stack pointer."""
    cpu = cpu_named(name)
    kinds = {
        Flow.CALL: CallKind.CALL,
        Flow.RETURN: CallKind.RETURN,
        Flow.SOFTWARE_INTERRUPT: CallKind.INTERRUPT,
    }
    by_opcode = [kinds.get(opcode.flow) for opcode in cpu.opcodes]
    for move in moves(cpu)[len(cpu.opcodes) :]:
        by_opcode.append(CallKind.INTERRUPT if move is Move.PUSH else None)
    return tuple(by_opcode)


@cache
def first_bytes(name: str) -> tuple[int, ...]:
    """For each microcode of a CPU, the byte an observer gets; see Observer."""
    cpu = cpu_named(name)
    opcodes = [opcode.prefix[0] if opcode.prefix else opcode.byte for opcode in cpu.opcodes]
    return (*opcodes, *([NO_OPCODE] * (len(cpu.microcode) - len(opcodes))))
