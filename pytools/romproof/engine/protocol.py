"""What every engine offers, and what may be attached to one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from romproof.engine.inputs import BadEngineInput, check_map
from romproof.text.errors import RomproofError

if TYPE_CHECKING:  # it needs this module itself
    from romproof.engine.instruments import Instruments, Recording
    from romproof.engine.space import AddressSpace


class Stop(Enum):
    """Why a run came to its end."""

    REACHED = "reached"
    """The program counter came to one of the wanted addresses."""
    LIMIT = "limit"
    """The cycle budget was used up."""
    STOPPED = "stopped"
    """The CPU stopped its clock (SM83 ``stop``)."""


class FaultKind(Enum):
    """What an engine refuses to do."""

    UNDOCUMENTED = "undocumented opcode"
    JAM = "opcode that stops the processor"
    BRK = "BRK"
    OUTSIDE = "execution outside the program"
    ROM_WRITE = "write to read-only memory"
    STRAY_WRITE = "write to an address without memory"
    DATA = "execution of data"
    INDIRECT_JUMP = "indirect jump through the end of a page"
    MISTIMED_WRITE = "write to video memory while the picture is drawn"
    STACK_OVERFLOW = "stack overflow"
    STACK_UNDERFLOW = "stack underflow"


@dataclass(frozen=True, slots=True)
class RefusedWrite:
    """A byte that an instruction would have written, and where to."""

    address: int
    value: int

    def describe(self, why: str) -> str:
        """What is wrong with it; ``why`` says what its address is, with ``{at}`` for the
        instruction."""
        return f"the instruction at {{at}} writes ${self.value:02X} to ${self.address:04X}, {why}"


class EngineFault(RomproofError):
    """An engine cannot or must not go on.

    ``address`` is that of the instruction at fault, ``opcode`` its first byte;
    for FaultKind.OUTSIDE the instruction that led to ``registers.pc``.
    ``sentence`` says what is wrong, with ``{at}`` for the address. ``write`` is
    what was refused where that is a write.
    """

    def __init__(
        self,
        kind: FaultKind,
        engine: str,
        address: int,
        opcode: int,
        sentence: str,
        write: RefusedWrite | None = None,
    ) -> None:
        self.kind = kind
        self.engine = engine
        self.address = address
        self.opcode = opcode
        self.sentence = sentence
        self.write = write
        super().__init__(self.explain(f"${address:04X}"))

    def explain(self, at: str) -> str:
        """The sentence, with ``at`` as the name of the address."""
        return self.sentence.replace("{at}", at)


@dataclass(frozen=True, slots=True)
class Guard:
    """What a run must not do; doing it raises EngineFault.

    ``executable`` and ``protected`` hold one byte for each of the 65,536
    addresses: nonzero where an instruction may start, and where a write is a
    fault. None means everywhere and nowhere. ``stack_top`` is the highest
    value the stack pointer may be pulled or set to. ``brk`` allows BRK. With a
    guard, a stack pointer that wraps around is always a fault. Raises BadInput.
    """

    executable: bytes | None = None
    protected: bytes | None = None
    stack_top: int = 0xFF
    brk: bool = False

    def __post_init__(self) -> None:
        check_map("executable", self.executable)
        check_map("protected", self.protected)
        if not 0 <= self.stack_top <= 0xFFFF:
            raise BadEngineInput(f"stack_top={self.stack_top} is not a value of a stack pointer")


class Observer(Protocol):
    """Is called for every executed instruction.

    An observer that does not look at the engine says so with a class attribute ``detached =
    True``. It gets the same calls in the same order, but perhaps only after further instructions
    were executed: an engine then need not stop after each. If it has a method ``executed``, it may
    get many at once (see romproof.engine.executed); where that returns False, one after the other.

    In runs of the harness one with a method ``begins(cycle)`` is told in which of the engine's
    cycles execution goes on, each time before it does: stubs take cycles that nobody is told of,
    but one with a method ``stub(pc, cycles, s, next_pc)``: a routine at ``pc`` has a stub.
    """

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """Instruction ``byte`` at ``pc`` ran for ``cycles`` clock cycles.

        ``byte`` is the first one of the instruction; -1 when what ran was none but an interrupt
        sequence, or a cycle of a halted CPU. ``s`` and ``next_pc`` are the stack pointer and
        program counter after it. The engine's registers and memory may be read, not changed.
        """


class Engine(Protocol):
    """One CPU with 64 KiB of memory.

    ``cycles`` and ``instructions`` count since the engine was made; ``space`` is what it runs in,
    ``memory`` all memory of that: in flat memory one byte an address. ``guard`` says what is
    checked on the way; with one, ``lowest_s`` is the lowest value of the stack
    pointer since it was last set.
    """

    name: str
    cycles: int
    instructions: int
    lowest_s: int

    space: AddressSpace

    @property
    def memory(self) -> bytearray:
        """The whole address space, to be read and changed between runs."""

    @property
    def registers(self) -> Any:
        """The registers of the CPU, as romproof.engine.registers has them; change them only
        between runs."""

    @property
    def executing(self) -> int:
        """The address of the instruction that is being executed; for devices."""

    @property
    def guard(self) -> Guard | None:
        """The checks; None means none."""

    @guard.setter
    def guard(self, guard: Guard | None) -> None: ...

    def instrument(self, instruments: Instruments | None) -> Recording:
        """Write down what ``instruments`` ask for, from now on; None ends that.

        A recording begins empty; what earlier ones hold stays. To be called between runs.
        Raises Unsupported when the engine cannot do that.
        """

    def step(self) -> None:
        """Execute one instruction. Raises EngineFault on one it cannot execute."""

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """Execute until the program counter is in ``until`` or ``limit`` cycles passed.

        At least one instruction is executed. Raises EngineFault; the program
        counter then is at the instruction at fault.
        """
