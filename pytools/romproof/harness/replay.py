"""Running a call again, to see its end: nothing needs to be recorded while all is well."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from romproof.engine.protocol import Engine, EngineFault, FaultKind, Guard, Observer
from romproof.engine.registers import RegisterFile
from romproof.engine.space import SIZE, WRITE_CALL
from romproof.harness.trace import Access, Accesses, Step, Stepper
from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers

LAST = 32
"""Instructions that are kept of the end of a run."""
_COMPILED, _STEPPING = ("llvm", "recompiled"), "plain"
_SHORT = 300_000
"""Cycles that the stepping engine executes in less time than compiling takes."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a run depends on; a run is deterministic, so it can be repeated.

    ``make`` makes an engine, another one if it is given a name. The stack has room down to the
    stack pointer ``floor``.
    """

    make: Callable[..., Engine] = field(repr=False)
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
class Frame:
    """A routine that was entered: from ``site`` (None: by the test) at ``entry``.

    ``interrupted`` says that no instruction called it: the handler of an interrupt that came
    before the instruction at ``site``.
    """

    site: int | None
    entry: int
    s: int
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """The end of a run: its last steps and the routines it was in at the last one."""

    steps: tuple[Step, ...]
    frames: tuple[Frame, ...]
    registers: RegisterFile
    cycles: int
    instructions: int


@dataclass(frozen=True, slots=True)
class Write:
    """The last write to ``address``: by the instruction at ``site``, ``cycle`` cycles after the
    run began, in the routines ``frames``."""

    address: int
    value: int
    site: int
    cycle: int
    frames: tuple[Frame, ...]


@dataclass(slots=True)
class Calls:
    """An observer that keeps the open calls, and where the last steps begin.

    It does not look at the engine, which then need not stop after each instruction. ``wanted``
    are cycles, ascending; ``seen`` has for each of them the address of the instruction in which
    it lies, its first cycle and the frames there.
    """

    detached: ClassVar[bool] = True
    abi: Abi
    frames: list[Frame]
    wanted: deque[int] = field(default_factory=deque)
    seen: dict[int, tuple[int, int, tuple[Frame, ...]]] = field(default_factory=dict)
    cycles: int = 0
    tail: deque[int] = field(default_factory=lambda: deque(maxlen=LAST))
    _table: Transfers = field(init=False)
    _s: int = field(init=False)
    _pending: tuple[int, bool, bool, int, int] | None = None

    def __post_init__(self) -> None:
        self._table = transfers(self.abi.cpu)
        self._s = self.frames[0].s

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        if self._pending is not None:
            self.settle()
        self.tail.append(self.cycles)
        end = self.cycles + cycles
        while self.wanted and self.wanted[0] < end:
            self.seen[self.wanted.popleft()] = (pc, self.cycles, tuple(self.frames))
        self.cycles = end
        flow = self._table.happened(byte, cycles)
        interrupted = flow is Flow.SOFTWARE_INTERRUPT or (byte < 0 and s < self._s)
        called = interrupted or flow is Flow.CALL
        self._s = s
        # what neither calls nor lifts the stack pointer changes no frames
        if called or s > self.frames[-1].s:
            self._pending = (pc, called, interrupted, s, next_pc)

    def settle(self) -> None:
        """Let the last instruction enter and leave routines.

        It is done when the next one comes: at the end of a run the frames are
        those in which the last instruction stood.
        """
        if self._pending is None:
            return
        pc, called, interrupted, s, next_pc = self._pending
        while len(self.frames) > 1 and s > self.frames[-1].s:
            self.frames.pop()
        if called:
            self.frames.append(Frame(pc, next_pc, s, interrupted))
        self._pending = None


def calls_of(scenario: Scenario, wanted: Collection[int] = ()) -> Calls:
    """What keeps the open calls of a run from its beginning."""
    abi, start = scenario.abi, scenario.registers
    outermost = Frame(None, abi.get(start, "pc"), abi.stack_of(start))
    return Calls(abi, [outermost], deque(sorted(wanted)))


def replay(scenario: Scenario) -> Trace:
    """Run ``scenario`` again and report its LAST instructions.

    It is run twice: for the calls, at the speed of the engine; then to where the last
    instructions begin, and from there one by one.
    """
    calls, on = calls_of(scenario), stepped_by(scenario)
    refused = run_on(scenario, begun(scenario, on), scenario.limit, calls)
    engine = begun(scenario, on)
    start, done = engine.cycles, engine.instructions
    before = calls.tail[0] if calls.tail else 0
    if before:
        engine.run(scenario.until, before)
    steps: deque[Step] = deque(maxlen=LAST)
    tail = Stepper(engine, scenario.abi.cpu, steps.append, start)
    run_on(scenario, engine, scenario.limit - before, tail)
    # an instruction that was refused was never told of; it is the last one
    if refused is not None and (refused.kind is not FaultKind.OUTSIDE or not steps):
        calls.settle()
        tail.refused()
    return Trace(
        tuple(steps),
        tuple(calls.frames),
        engine.registers.copy(),
        engine.cycles - start,
        engine.instructions - done,
    )


def last_writes(scenario: Scenario, addresses: Collection[int]) -> Mapping[int, Write]:
    """The last write to each of some ``addresses`` in a run; nothing for what it never wrote.

    It is run twice: for the writes, then for the calls at the cycles of these.
    """
    latest: dict[int, Access] = {}

    def note(access: Access) -> None:
        latest[access.address] = access

    on = stepped_by(scenario)
    engine = begun(scenario, on)
    bits = bytearray(SIZE)
    for address in addresses:
        bits[address] = WRITE_CALL
    engine.space.watch(bytes(bits), Accesses(note))
    start = engine.cycles
    run_on(scenario, engine, scenario.limit)
    engine.space.unwatch()
    if not latest:
        return {}
    calls = calls_of(scenario, {access.cycle - start for access in latest.values()})
    run_on(scenario, begun(scenario, on), scenario.limit, calls)
    writes = {}
    for address, access in latest.items():
        seen = calls.seen.get(access.cycle - start)
        if seen is not None:  # the instruction came to its end
            site, cycle, frames = seen
            writes[address] = Write(address, access.value, site, cycle, frames)
    return writes


def stepped_by(scenario: Scenario) -> str | None:
    """The engine that looks at single instructions of a run; None for the scenario's own.

    Compiled engines would first be compiled for that, which takes seconds: where the run is short,
    the engine from which they are made is faster.
    """
    if scenario.make().name not in _COMPILED:
        return None
    engine = begun(scenario, _STEPPING)
    start, limit = engine.cycles, min(scenario.limit, _SHORT)
    run_on(scenario, engine, limit)
    return _STEPPING if engine.cycles - start < limit or limit == scenario.limit else None


def begun(scenario: Scenario, name: str | None = None) -> Engine:
    """An engine where the scenario begins: its own, or the one of that name."""
    engine = scenario.make() if name is None else scenario.make(name)
    engine.memory[:] = scenario.memory
    scenario.prepare(engine)
    return engine


def run_on(
    scenario: Scenario,
    engine: Engine,
    limit: int,
    observer: Observer | None = None,
    until: Collection[int] | None = None,
) -> EngineFault | None:
    """Run on to the end of a scenario, or to one of ``until``; the fault that ends it, if any."""
    try:
        engine.run(scenario.until if until is None else until, limit, observer)
    except EngineFault as fault:
        return fault
    return None
