"""Running a call again, to see its end: nothing needs to be recorded while all is well."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from romproof.engine.protocol import Engine, EngineFault, FaultKind, Guard
from romproof.engine.registers import RegisterFile
from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import transfers

LAST = 16
"""Instructions that are kept of the end of a run."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a run depends on; a run is deterministic, so it can be repeated.

    The stack has room down to the stack pointer ``floor``.
    """

    make: Callable[[], Engine] = field(repr=False)
    abi: Abi = field(repr=False)
    name: str
    registers: RegisterFile
    memory: bytes = field(repr=False)
    guard: Guard | None = field(repr=False)
    until: tuple[int, ...]
    limit: int
    floor: int = 0

    def prepare(self, engine: Engine) -> None:
        """Bring an engine to where the run begins, its memory apart."""
        engine.registers.set(self.registers)
        engine.guard = self.guard
        engine.lowest_s = self.abi.stack_of(self.registers)


@dataclass(frozen=True, slots=True)
class Step:
    """One executed instruction; ``data`` are its three bytes at that moment.

    ``cycles`` is None for an instruction that was refused.
    """

    address: int
    data: bytes
    cycles: int | None


@dataclass(frozen=True, slots=True)
class Frame:
    """A routine that was entered: from ``site`` (None: by the test) at ``entry``."""

    site: int | None
    entry: int
    s: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The end of a run: its last steps and the routines it was in at the last one."""

    steps: tuple[Step, ...]
    frames: tuple[Frame, ...]
    registers: RegisterFile
    cycles: int
    instructions: int


@dataclass(slots=True)
class _Tail:
    """An observer that keeps the last steps and the open calls."""

    engine: Engine
    abi: Abi
    steps: deque[Step]
    frames: list[Frame]
    _pending: tuple[int, bool, int, int] | None = None

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.settle()
        self.steps.append(Step(pc, bytes(self.engine.memory[pc : pc + 3]), cycles))
        called = transfers(self.abi.cpu).happened(byte, cycles) is Flow.CALL
        self._pending = (pc, called, s, next_pc)

    def settle(self) -> None:
        """Let the last instruction enter and leave routines.

        It is done when the next one comes: at the end of a run the frames are
        those in which the last instruction stood.
        """
        if self._pending is None:
            return
        pc, called, s, next_pc = self._pending
        while len(self.frames) > 1 and s > self.frames[-1].s:
            self.frames.pop()
        if called:
            self.frames.append(Frame(pc, next_pc, s))


def replay(scenario: Scenario) -> Trace:
    """Run ``scenario`` again and report its LAST instructions."""
    engine = scenario.make()
    engine.memory[:] = scenario.memory
    scenario.prepare(engine)
    abi, start = scenario.abi, scenario.registers
    outermost = Frame(None, abi.get(start, "pc"), abi.stack_of(start))
    tail = _Tail(engine, abi, deque(maxlen=LAST), [outermost])
    try:
        engine.run(scenario.until, scenario.limit, tail)
    except EngineFault as fault:
        # an instruction that was refused was never told of; it is the last one
        if fault.kind is not FaultKind.OUTSIDE or not tail.steps:
            tail.settle()
            at = fault.address
            tail.steps.append(Step(at, bytes(engine.memory[at : at + 3]), None))
    return Trace(
        tuple(tail.steps),
        tuple(tail.frames),
        engine.registers.copy(),
        engine.cycles,
        engine.instructions,
    )
