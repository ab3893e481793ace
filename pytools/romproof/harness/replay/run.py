"""Running a call again, to see its end: nothing needs to be recorded while all is well."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from romproof.engine.protocol import Engine, EngineFault, FaultKind, Guard, Observer
from romproof.engine.registers import RegisterFile
from romproof.engine.space import SIZE, WRITE_CALL
from romproof.harness.replay.trace import Stepper, TracedAccess, TracedAccesses, TraceStep
from romproof.harness.state.memory import BoardMemory
from romproof.harness.state.stubbed_board import NOWHERE, Homes, StubbedBoard
from romproof.harness.state.tape import Callback
from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import Transfers, transfers
from romproof.program.image import Image

LAST = 32
"""Instructions that are kept of the end of a run."""
_COMPILED, _STEPPING = ("llvm", "recompiled"), "plain"
_SHORT = 300_000
"""Cycles that the stepping engine executes in less time than compiling takes."""
WATCHED = 300_000
"""Cycles at the end of a run in which calls are watched: instructions that are looked at singly
are hundreds of times slower, and a message must not take minutes."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """All that a run depends on; a run is deterministic, so it can be repeated.

    ``make`` gives a new stage, on another engine if it is given the name of one; the test's own
    devices and stubs answer on it as they did. ``saved`` is the state of the board at the
    beginning, ``memory`` what the CPU sees of it: a byte for each address. The stack has room down
    to the stack pointer ``floor``. ``homes`` says in which banks places of ``until`` are.
    ``image`` is the whole program, its banks in sight or not; None
    where nothing is asked by name.
    """

    make: Callable[..., StubbedBoard] = field(repr=False)
    abi: Abi = field(repr=False)
    name: str
    registers: RegisterFile
    saved: Any = field(repr=False)
    memory: bytes = field(repr=False)
    guard: Guard | None = field(repr=False)
    until: tuple[int, ...]
    limit: int
    floor: int = 0
    image: Image | None = field(default=None, repr=False)
    homes: Homes = field(default_factory=lambda: NOWHERE, repr=False)

    def in_sight(self, stage: StubbedBoard) -> Callable[[], Image] | None:
        """What gives the part of the program in sight on a stage; None where that never changes."""
        if self.image is None or not stage.board.windows:
            return None
        memory = BoardMemory(stage.board, self.image)
        return lambda: memory.loaded

    def set_up(self, stage: StubbedBoard) -> None:
        """Bring a stage to where the run begins."""
        stage.board.restore(self.saved)
        stage.homes = self.homes
        self.prepare(stage.engine)

    def prepare(self, engine: Engine, guard: Guard | None = None) -> None:
        """Bring an engine to where the run begins, its memory apart; ``guard`` is another one
        than the scenario's."""
        engine.registers.set(self.registers)
        engine.guard = guard or self.guard
        engine.lowest_s = self.abi.stack_of(self.registers)


@dataclass(frozen=True, slots=True)
class CallFrame:
    """A routine that was entered: from ``site`` (None: by the test) at ``entry``.

    ``interrupted`` says that no instruction called it: the handler of an interrupt that came
    before the instruction at ``site``. ``image`` is the part of the program that was in sight then;
    None where that is always the same.
    """

    site: int | None
    entry: int
    s: int
    interrupted: bool = False
    image: Image | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Trace:
    """The end of a run: its last steps and the routines it was in at the last one."""

    steps: tuple[TraceStep, ...]
    frames: tuple[CallFrame, ...]
    registers: RegisterFile
    cycles: int
    instructions: int
    unwatched: int = 0
    """The cycles at the beginning whose calls are not in ``frames``."""


@dataclass(frozen=True, slots=True)
class Write:
    """The last write to ``address``: by the instruction at ``site``, ``cycle`` cycles after the
    run began, in the routines ``frames``. ``by`` says whose callback it was, a stub's or a device's
    of the test; None where the instruction has written it."""

    address: int
    value: int
    site: int
    cycle: int
    frames: tuple[CallFrame, ...]
    by: Callback | None = None
    unwatched: int = 0
    """The cycles at the beginning whose calls are not in ``frames``."""


@dataclass(slots=True)
class Calls:
    """An observer that keeps the open calls, and where the last steps begin.

    ``wanted`` are cycles, ascending; ``seen`` has for each of them the address of the instruction
    in which it lies, its first cycle and the frames there. ``in_sight`` is as a Stepper has it.
    Where nothing but instructions takes cycles, it does not look at the engine, which then need
    not stop after each of them. ``cycles`` of the run have passed already, and ``s`` is the stack
    pointer now.
    """

    abi: Abi
    frames: list[CallFrame]
    engine: Engine | None = None
    wanted: deque[int] = field(default_factory=deque)
    in_sight: Callable[[], Image] | None = None
    seen: dict[int, tuple[int, int, tuple[CallFrame, ...]]] = field(default_factory=dict)
    cycles: int = 0
    s: int | None = None
    tail: deque[int] = field(default_factory=lambda: deque(maxlen=LAST))
    _table: Transfers = field(init=False)
    _start: int = 0
    _s: int = field(init=False)
    _pending: tuple[int, bool, bool, int, int] | None = None
    _image: Image | None = None

    def __post_init__(self) -> None:
        self._table = transfers(self.abi.cpu)
        self._start = self.engine.cycles - self.cycles if self.engine is not None else 0
        self._s = self.frames[0].s if self.s is None else self.s

    @property
    def detached(self) -> bool:
        """See Observer."""
        return self.engine is None

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        if self._pending is not None:
            self.settle()
        if self.engine is not None:
            self.cycles = self.engine.cycles - self._start - cycles
        self.tail.append(self.cycles)
        end = self.cycles + cycles
        while self.wanted and self.wanted[0] < end:
            self.seen[self.wanted.popleft()] = (pc, self.cycles, tuple(self.frames))
        self.cycles = end
        flow = self._table.find_flow(byte, cycles)
        interrupted = flow is Flow.SOFTWARE_INTERRUPT or (byte < 0 and s < self._s)
        called = interrupted or flow is Flow.CALL
        self._s = s
        # what neither calls nor lifts the stack pointer changes no frames
        if called or s > self.frames[-1].s:
            self._pending = (pc, called, interrupted, s, next_pc)
            if called and self.in_sight is not None:
                self._image = self.in_sight()

    def stub(self, pc: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.settle()
        if self.engine is not None:
            self.cycles = self.engine.cycles - self._start - cycles
        while self.wanted and self.wanted[0] <= self.cycles:
            self.seen[self.wanted.popleft()] = (pc, self.cycles, tuple(self.frames))
        self.cycles += cycles
        self._s = s
        self._leave(s)

    def _leave(self, s: int) -> None:
        while len(self.frames) > 1 and s > self.frames[-1].s:
            self.frames.pop()

    def settle(self) -> None:
        """Let the last instruction enter and leave routines.

        It is done when the next one comes: at the end of a run the frames are
        those in which the last instruction stood.
        """
        if self._pending is None:
            return
        pc, called, interrupted, s, next_pc = self._pending
        self._leave(s)
        if called:
            self.frames.append(CallFrame(pc, next_pc, s, interrupted, self._image))
        self._pending = None


def calls_of(
    scenario: Scenario, stage: StubbedBoard, wanted: Collection[int] = (), passed: int = 0
) -> Calls:
    """What keeps the open calls of a run on ``stage`` from now on, ``passed`` cycles after its
    beginning."""
    abi, start = scenario.abi, scenario.registers
    in_sight = scenario.in_sight(stage)
    image = in_sight() if in_sight is not None else None
    outermost = CallFrame(None, abi.get(start, "pc"), abi.stack_of(start), image=image)
    # stubs and the DMA of machines take cycles besides
    only = stage.board.space.flat and not stage.stubs
    engine = None if only else stage.engine
    s = abi.stack_of(stage.engine.registers)
    return Calls(abi, [outermost], engine, deque(sorted(wanted)), in_sight, cycles=passed, s=s)


def replay(scenario: Scenario) -> Trace:
    """Run ``scenario`` again and report its LAST instructions.

    It is run twice: for the calls; then to where the last instructions begin, and from there one
    by one. Of a long run the calls are watched near its end.
    """
    on = stepping_engine(scenario)
    unwatched = _count_unwatched(scenario, on)
    stage = make_stage(scenario, on)
    passed = -stage.engine.cycles
    if unwatched:
        stage.run(scenario.until, unwatched)
    passed += stage.engine.cycles
    calls = calls_of(scenario, stage, passed=passed)
    refused = run_on(scenario, stage, scenario.limit - passed, calls)
    stage = make_stage(scenario, on)
    engine = stage.engine
    start, done = engine.cycles, engine.instructions
    before = calls.tail[0] if calls.tail else 0
    if before:
        stage.run(scenario.until, before)
    steps: deque[TraceStep] = deque(maxlen=LAST)
    in_sight = scenario.in_sight(stage)
    tail = Stepper(engine, scenario.abi.cpu, steps.append, start, in_sight=in_sight, stage=stage)
    run_on(scenario, stage, scenario.limit - before, tail)
    # an instruction that was refused was never told of; it is the last one
    if refused is not None and (refused.kind is not FaultKind.OUTSIDE or not steps):
        calls.settle()
        tail.refuse()
    return Trace(
        tuple(steps),
        tuple(calls.frames),
        engine.registers.copy(),
        engine.cycles - start,
        engine.instructions - done,
        passed,
    )


def _count_unwatched(scenario: Scenario, on: str | None) -> int:
    """The cycles of a run before those in which calls are watched."""
    if scenario.limit <= WATCHED:
        return 0
    stage = make_stage(scenario, on)
    start = stage.engine.cycles
    run_on(scenario, stage, scenario.limit)
    return max(0, stage.engine.cycles - start - WATCHED)


def find_last_writes(scenario: Scenario, addresses: Collection[int]) -> Mapping[int, Write]:
    """The last write to each of some ``addresses`` in a run; nothing for what it never wrote.

    It is run twice: for the writes, then for the calls at the cycles of these, of a long run those
    of the last WATCHED cycles before each.
    """
    latest: dict[int, TracedAccess] = {}

    def note(access: TracedAccess) -> None:
        latest[access.address] = access

    on = stepping_engine(scenario)
    stage = make_stage(scenario, on)
    space, start = stage.board.space, stage.engine.cycles
    bits = bytearray(SIZE)
    for address in addresses:
        bits[address] = WRITE_CALL
    space.watch(bytes(bits), TracedAccesses(note))

    def note_write(address: int, value: int, cycle: int, whose: Callback) -> None:
        if bits[address]:
            note(TracedAccess(address, value, True, cycle, whose))

    if stage.player is not None:
        stage.player.on_write = note_write
    run_on(scenario, stage, scenario.limit)
    space.unwatch()
    if not latest:
        return {}
    seen = _find_instructions(
        scenario, on, sorted({access.cycle - start for access in latest.values()})
    )
    writes = {}
    for address, access in latest.items():
        if access.cycle - start in seen:  # the instruction came to its end
            site, cycle, frames, unwatched = seen[access.cycle - start]
            writes[address] = Write(
                address, access.value, site, cycle, frames, access.by, unwatched
            )
    return writes


def _find_instructions(
    scenario: Scenario, on: str | None, wanted: Sequence[int]
) -> dict[int, tuple[int, int, tuple[CallFrame, ...], int]]:
    """The instruction in which each of some cycles lies, as Calls has it, and the cycles before it
    whose calls were not watched: those of the last WATCHED are, and nothing after the last."""
    stage = make_stage(scenario, on)
    engine, start = stage.engine, stage.engine.cycles
    found: dict[int, tuple[int, int, tuple[CallFrame, ...], int]] = {}
    for group in _group_near(wanted):
        before = group[0] - WATCHED - (engine.cycles - start)
        if before > 0:
            stage.run(scenario.until, before)
        passed = engine.cycles - start
        calls = calls_of(scenario, stage, group, passed)
        run_on(scenario, stage, min(group[-1] + 1, scenario.limit) - passed, calls)
        found |= {cycle: (*what, passed) for cycle, what in calls.seen.items()}
    return found


def _group_near(wanted: Sequence[int]) -> Iterator[list[int]]:
    """Ascending cycles, those together between which calls are watched anyway."""
    group: list[int] = []
    for cycle in wanted:
        if group and cycle - group[-1] > WATCHED:
            yield group
            group = []
        group.append(cycle)
    if group:
        yield group


def stepping_engine(scenario: Scenario) -> str | None:
    """The engine that looks at single instructions of a run; None for the scenario's own.

    Compiled engines would first be compiled for that, which takes seconds: where the run is short,
    the engine from which they are made is faster.
    """
    if scenario.make().engine.name not in _COMPILED:
        return None
    stage = make_stage(scenario, _STEPPING)
    engine = stage.engine
    start, limit = engine.cycles, min(scenario.limit, _SHORT)
    run_on(scenario, stage, limit)
    return _STEPPING if engine.cycles - start < limit or limit == scenario.limit else None


def make_stage(scenario: Scenario, name: str | None = None) -> StubbedBoard:
    """A stage where the scenario begins: with its own engine, or the one of that name."""
    stage: StubbedBoard = scenario.make() if name is None else scenario.make(name)
    scenario.set_up(stage)
    return stage


def run_on(
    scenario: Scenario,
    stage: StubbedBoard,
    limit: int,
    observer: Observer | None = None,
) -> EngineFault | None:
    """Run on to the end of a scenario; the fault that ends it, if any."""
    try:
        stage.run(scenario.until, limit, observer)
    except EngineFault as fault:
        return fault
    return None
