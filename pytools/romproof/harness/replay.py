"""Running a call again, to see its end: nothing needs to be recorded while all is well."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from romproof.engine.protocol import Engine, EngineFault, FaultKind, Guard, Observer
from romproof.engine.registers import RegisterFile
from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers

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
class _Calls:
    """An observer that keeps the open calls, and where the last steps begin.

    It does not look at the engine, which then need not stop after each instruction.
    """

    detached: ClassVar[bool] = True
    abi: Abi
    frames: list[Frame]
    cycles: int = 0
    tail: deque[int] = field(default_factory=lambda: deque(maxlen=LAST))
    _table: Transfers = field(init=False)
    _pending: tuple[int, bool, int, int] | None = None

    def __post_init__(self) -> None:
        self._table = transfers(self.abi.cpu)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        if self._pending is not None:
            self.settle()
        self.tail.append(self.cycles)
        self.cycles += cycles
        called = self._table.happened(byte, cycles) is Flow.CALL
        # what neither calls nor lifts the stack pointer changes no frames
        if called or s > self.frames[-1].s:
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
        self._pending = None


@dataclass(slots=True)
class _Steps:
    """An observer that keeps steps, with the bytes that stand there."""

    engine: Engine
    steps: list[Step]

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.steps.append(Step(pc, bytes(self.engine.memory[pc : pc + 3]), cycles))


def replay(scenario: Scenario) -> Trace:
    """Run ``scenario`` again and report its LAST instructions.

    It is run twice: for the calls, at the speed of the engine; then to where the last
    instructions begin, and from there one by one.
    """
    abi, start = scenario.abi, scenario.registers
    calls = _Calls(abi, [Frame(None, abi.get(start, "pc"), abi.stack_of(start))])
    refused = _run(scenario, _begun(scenario), scenario.limit, calls)
    engine = _begun(scenario)
    before = calls.tail[0] if calls.tail else 0
    if before:
        engine.run(scenario.until, before)
    tail = _Steps(engine, [])
    _run(scenario, engine, scenario.limit - before, tail)
    steps = tail.steps
    # an instruction that was refused was never told of; it is the last one
    if refused is not None and (refused.kind is not FaultKind.OUTSIDE or not steps):
        calls.settle()
        at = refused.address
        steps = [*steps, Step(at, bytes(engine.memory[at : at + 3]), None)][-LAST:]
    return Trace(
        tuple(steps),
        tuple(calls.frames),
        engine.registers.copy(),
        engine.cycles,
        engine.instructions,
    )


def _begun(scenario: Scenario) -> Engine:
    """An engine where the scenario begins."""
    engine = scenario.make()
    engine.memory[:] = scenario.memory
    scenario.prepare(engine)
    return engine


def _run(scenario: Scenario, engine: Engine, limit: int, observer: Observer) -> EngineFault | None:
    """Run on to the end of a scenario; the fault that it is, if any."""
    try:
        engine.run(scenario.until, limit, observer)
    except EngineFault as fault:
        return fault
    return None
