"""Following a call while it is made again: every instruction, places, accesses to variables."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from romproof.engine.protocol import Engine, EngineFault, Stop
from romproof.harness.replay.run import (
    Calls,
    Scenario,
    Trace,
    calls_of,
    make_stage,
    stepping_engine,
)
from romproof.harness.replay.trace import Look, Stepper, TracedAccess, TraceStep
from romproof.harness.state.stubbed_board import NOWHERE, Homes, view
from romproof.harness.state.traced_places import TracedPlaces
from romproof.machine.board import Board, InBank
from romproof.program.image import Image


@dataclass(frozen=True, slots=True)
class WatchedAccess:
    """An access to a byte that is watched, by the instruction at ``site`` in ``routine``, the
    address of the innermost routine; ``cycle`` is that before the instruction."""

    access: TracedAccess
    site: int
    cycle: int
    routine: int


@dataclass(frozen=True, slots=True)
class Visit:
    """A place was reached: ``trace`` is the state there, without steps."""

    address: int
    trace: Trace
    memory: bytes = field(repr=False)
    image: Image | None = field(default=None, repr=False)
    """The part of the program in sight there; None where that is always the same."""


@dataclass(frozen=True, slots=True)
class FollowRequest:
    """What to follow. ``step`` is given every instruction in ``places``; ``look`` makes of a board
    what a Stepper looks with.

    ``stops`` are the addresses at each visit of which ``visit`` is called, ``until`` those that
    end the run. ``watch`` are addresses whose accesses go to ``watched``. ``tick`` is called
    with the cycles used, now and then. ``homes`` says in which banks places of ``stops`` are,
    ``homes_of_until`` and ``homes_of_watched`` the same of the others.
    """

    step: Callable[[TraceStep], None] | None = None
    look: Callable[[Board], Look | None] | None = None
    places: TracedPlaces = field(default_factory=TracedPlaces)
    stops: Collection[int] = ()
    visit: Callable[[Visit], None] | None = None
    until: Collection[int] = ()
    watch: Collection[int] = ()
    watched: Callable[[WatchedAccess], None] | None = None
    tick: Callable[[int], None] = lambda cycles: None
    homes: Homes = field(default_factory=lambda: NOWHERE)
    homes_of_until: Homes = field(default_factory=lambda: NOWHERE)
    homes_of_watched: Homes = field(default_factory=lambda: NOWHERE)


@dataclass(frozen=True, slots=True)
class Followed:
    """How a run ended: ``reached`` is the place among ``until`` where it was stopped, None when it
    came to its own end; then ``fault`` is what ended it, if it was one."""

    trace: Trace
    memory: bytes = field(repr=False)
    lowest_s: int
    reached: int | None
    fault: EngineFault | None


_SLICE = 20_000
"""Cycles between two ticks."""


def follow(scenario: Scenario, wanted: FollowRequest) -> Followed:
    """Make the call of ``scenario`` again, to its end or to the first of ``until`` it reaches.

    A run is deterministic: this is what the call did. Raises what the callbacks raise.
    """
    return _Follower(scenario, wanted).run()


class _Follower:
    def __init__(self, scenario: Scenario, wanted: FollowRequest) -> None:
        self._scenario, self._wanted = scenario, wanted
        self._stage = make_stage(scenario, stepping_engine(scenario))
        self._stage.homes = _together(
            (scenario.until, scenario.homes),
            (wanted.stops, wanted.homes),
            (wanted.until, wanted.homes_of_until),
        )
        self._engine: Engine = self._stage.engine
        self._start = self._engine.cycles
        self._done = self._engine.instructions
        self._calls: Calls = calls_of(scenario, self._stage)
        self._watched = frozenset(wanted.watch)
        self._in_sight = scenario.in_sight(self._stage)
        self._is_traced = False
        self._look_at_next()
        self._stepper = Stepper(
            self._engine,
            scenario.abi.cpu,
            self._step,
            self._start,
            None if wanted.look is None else wanted.look(self._stage.board),
            self._in_sight,
            self._stage,
        )

    def run(self) -> Followed:
        scenario, wanted, engine = self._scenario, self._wanted, self._engine
        stops = frozenset((*scenario.until, *wanted.until, *wanted.stops))
        limit = self._start + scenario.limit
        fault: EngineFault | None = None
        self._arrive(engine.registers.pc)
        while engine.cycles < limit and (engine.cycles == self._start or not self._is_over()):
            try:
                stop = self._stage.run(stops, min(_SLICE, limit - engine.cycles), self)
            except EngineFault as end:
                fault = end
                self._stepper.refuse()
                break
            wanted.tick(engine.cycles - self._start)
            if stop is Stop.STOPPED:
                break
            if stop is Stop.REACHED:
                self._arrive(engine.registers.pc)
        pc = engine.registers.pc
        is_there = self._stage.is_at(wanted.until, wanted.homes_of_until)
        reached = pc if fault is None and is_there else None
        if reached is not None:
            self._calls.settle()
        return Followed(self._trace(), view(self._stage.board), engine.lowest_s, reached, fault)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self._calls.instruction(pc, byte, cycles, s, next_pc)
        self._stepper.instruction(pc, byte, cycles, s, next_pc)

    def stub(self, pc: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self._calls.stub(pc, cycles, s, next_pc)
        self._stepper.stub(pc, cycles, s, next_pc)

    def _step(self, step: TraceStep) -> None:
        wanted = self._wanted
        if self._watched and wanted.watched is not None:
            for access in step.accesses:
                if access.address in self._watched and self._is_meant(access.address):
                    routine = self._calls.frames[-1].entry
                    wanted.watched(WatchedAccess(access, step.address, step.cycle, routine))
        if wanted.step is not None and self._is_traced:
            wanted.step(step)
        self._look_at_next()

    def _look_at_next(self) -> None:
        """Find whether the instruction that comes next is traced, while its bank is in sight."""
        board = self._stage.board
        self._is_traced = self._wanted.places.has(board.engine.registers.pc, board)

    def _is_over(self) -> bool:
        scenario, wanted, stage = self._scenario, self._wanted, self._stage
        own = stage.is_at(scenario.until, scenario.homes)
        return own or stage.is_at(wanted.until, wanted.homes_of_until)

    def _is_meant(self, address: int) -> bool:
        homes = self._wanted.homes_of_watched.get(address, ())
        return not homes or any(home.is_shown(self._stage.board) for home in homes)

    def _arrive(self, pc: int) -> None:
        wanted = self._wanted
        if wanted.visit is not None and self._stage.is_at(wanted.stops, wanted.homes):
            self._calls.settle()
            shown = None if self._in_sight is None else self._in_sight()
            wanted.visit(Visit(pc, self._trace(), view(self._stage.board), shown))

    def _trace(self) -> Trace:
        engine = self._engine
        return Trace(
            (),
            tuple(self._calls.frames),
            engine.registers.copy(),
            engine.cycles - self._start,
            engine.instructions - self._done,
        )


def _together(*each: tuple[Collection[int], Homes]) -> Homes:
    """The banks of all places, by address; none where one of them is not in a bank."""
    homes: dict[int, list[InBank]] = {}
    anywhere: set[int] = set()
    for places, own in each:
        anywhere.update(address for address in places if address not in own)
        for address, banks in own.items():
            homes.setdefault(address, []).extend(banks)
    return {address: banks for address, banks in homes.items() if address not in anywhere}
