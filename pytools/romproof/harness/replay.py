"""Running a call again, to see its end: nothing needs to be recorded while all is well."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from romproof.engine.protocol import Engine, EngineFault, FaultKind, Guard, Observer
from romproof.engine.registers import RegisterFile
from romproof.harness.stage import Stage
from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers

LAST = 16
"""Instructions that are kept of the end of a run."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a run depends on; a run is deterministic, so it can be repeated.

    ``make`` gives a new stage, on which the test's own devices and stubs answer as they did.
    ``saved`` is the state of the board at the beginning, ``memory`` what the CPU sees of it: a
    byte for each address. The stack has room down to the stack pointer ``floor``.
    """

    make: Callable[[], Stage] = field(repr=False)
    abi: Abi = field(repr=False)
    name: str
    registers: RegisterFile
    saved: Any = field(repr=False)
    memory: bytes = field(repr=False)
    guard: Guard | None = field(repr=False)
    until: tuple[int, ...]
    limit: int
    floor: int = 0

    def begin(self, stage: Stage) -> None:
        """Bring a stage to where the run begins."""
        stage.board.restore(self.saved)
        self.prepare(stage.engine)

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

    stage: Stage
    steps: list[Step]

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.steps.append(Step(pc, _bytes_at(self.stage, pc), cycles))


def replay(scenario: Scenario) -> Trace:
    """Run ``scenario`` again and report its LAST instructions.

    It is run twice: for the calls, at the speed of the engine; then to where the last
    instructions begin, and from there one by one.
    """
    abi, start = scenario.abi, scenario.registers
    calls = _Calls(abi, [Frame(None, abi.get(start, "pc"), abi.stack_of(start))])
    refused = _run(scenario, _begun(scenario), scenario.limit, calls)
    stage = _begun(scenario)
    engine, began = stage.engine, stage.engine.cycles
    before = calls.tail[0] if calls.tail else 0
    if before:
        stage.run(scenario.until, before)
    tail = _Steps(stage, [])
    _run(scenario, stage, scenario.limit - before, tail)
    steps = tail.steps
    # an instruction that was refused was never told of; it is the last one
    if refused is not None and (refused.kind is not FaultKind.OUTSIDE or not steps):
        calls.settle()
        at = refused.address
        steps = [*steps, Step(at, _bytes_at(stage, at), None)][-LAST:]
    return Trace(
        tuple(steps),
        tuple(calls.frames),
        engine.registers.copy(),
        engine.cycles - began,
        engine.instructions,
    )


def _begun(scenario: Scenario) -> Stage:
    """A stage where the scenario begins."""
    stage = scenario.make()
    scenario.begin(stage)
    return stage


def _bytes_at(stage: Stage, address: int) -> bytes:
    """The bytes that an instruction at an address has, and those after it, three in all."""
    return bytes(stage.board.space.peek((address + i) & 0xFFFF) for i in range(3))


def _run(scenario: Scenario, stage: Stage, limit: int, observer: Observer) -> EngineFault | None:
    """Run on to the end of a scenario; the fault that it is, if any."""
    try:
        stage.run(scenario.until, limit, observer)
    except EngineFault as fault:
        return fault
    return None
