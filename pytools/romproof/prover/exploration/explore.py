"""All paths through a routine: from its entry, and from each place with an invariant, to the next.

Where a contract has an invariant, execution stops: what comes there has to satisfy it, and goes on
as if nothing else was known about what the routine may change. So a loop is executed once. The
entry is a place of its own, also where an invariant stands at the routine's first instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.model import Invariant
from romproof.prover.exploration.assertions import make_assertion_check
from romproof.prover.exploration.cut_points import Cut, cut_at
from romproof.prover.states.entry import Bounds, Start, register_name
from romproof.prover.states.variables import inputs_of
from romproof.symbolic.execute.events import DeadEnd, Event, NeedsIndex, SummaryCall, Unfinished
from romproof.symbolic.execute.executor import Executor, Lemma
from romproof.symbolic.execute.forget import Forgetting
from romproof.symbolic.execute.iterations import Counted, iterations_at
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.patience import MAX_ITERATIONS
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import stack_name
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause

ProgramPoint = int | None
"""The address of an invariant or of an end; None for the entry."""


@dataclass(frozen=True)
class Leg:
    """The paths from one place to another: ``at`` is the state in the end, all paths together, and
    ``first`` that in the beginning."""

    begin: ProgramPoint
    end: int
    first: State = field(repr=False)
    at: State = field(repr=False)


def split_leg(leg: Leg, condition: Term) -> Leg:
    """The paths of a leg on which a condition holds."""
    state = leg.at.copy()
    state.assume(condition)
    return replace(leg, at=state)


@dataclass(frozen=True)
class Exploration:
    """What symbolic execution found: ``entry`` is the state at the routine's entry.

    ``cuts`` are the places with invariants that were reached, by address; ``unreached`` those
    that were not. ``indexed`` are the objects that were arrays; ``calls``, ``executed``
    and ``returns`` as an Executor has them.
    """

    start: Start
    entry: State = field(repr=False)
    legs: tuple[Leg, ...]
    events: tuple[Event, ...]
    cuts: Mapping[int, Cut]
    unreached: tuple[int, ...]
    indexed: frozenset[MemoryObject]
    instructions: int
    calls: tuple[SummaryCall, ...] = ()
    executed: frozenset[int] = frozenset()
    returns: tuple[tuple[int, tuple[Term, ...]], ...] = ()
    constants: frozenset[int] = frozenset()

    def start_state(self, begin: ProgramPoint) -> State:
        """The state that execution from ``begin`` began in."""
        return self.entry if begin is None else self.cuts[begin].state

    def returning_legs(self) -> tuple[Leg, ...]:
        """The legs that end the whole run: for a routine, those to the return."""
        return tuple(leg for leg in self.legs if leg.end in self.start.ends)

    def legs_to(self, place: int) -> tuple[Leg, ...]:
        """The legs that end at a place."""
        return tuple(leg for leg in self.legs if leg.end == place)


def explore(
    start: Start,
    bounds: Bounds,
    oracle_for: Callable[[State], Oracle],
    *,
    lemmas: Mapping[int, Lemma],
    counted: Collection[Counted] = (),
    on_progress: Callable[[int], None] = lambda count: None,
    keeping: int | None = None,
    patience: int = MAX_ITERATIONS,
    on_event: Callable[[Event, Oracle], None] | None = None,
) -> Exploration:
    """All paths through the routine. Raises Unfinished, and what solvers and callbacks raise.

    A branch may be undecided ``patience`` times.
    Values of more than ``keeping`` terms are forgotten. ``on_event`` hears of each event, with
    who answers questions on it.
    """
    indexed = start.block_objects
    changing: frozenset[str] = frozenset()
    while True:
        entry = start.state(indexed, bounds)
        oracle = oracle_for(entry)
        executor = Executor(
            start.program.cpu,
            oracle,
            lemmas=lemmas,
            forget=_make_forget(start, indexed, keeping),
            counted=counted,
            asserted=make_assertion_check(start, entry),
            on_progress=on_progress,
            patience=patience,
            events=None if on_event is None else _EventLog(on_event, oracle),
            loop_at=start.program.bounded.loop_from,
            ports_at=start.program.ports_at,
            interrupts_when=_interrupts_when(start),
        )
        invariants = by_address(start.contract.invariants)
        try:
            legs, cuts = _legs(start, entry, executor, invariants, counted, changing)
        except NeedsIndex as need:
            indexed |= {need.which}
            continue
        more = _find_changed(start, entry, legs) | _find_pushed(start, legs, cuts, oracle)
        if not changing.issuperset(more):
            changing |= more  # saved before an invariant, it comes back after it
            continue
        return Exploration(
            start,
            entry,
            tuple(legs),
            tuple(executor.events),
            cuts,
            tuple(address for address in invariants if address not in cuts),
            indexed,
            executor.instructions,
            tuple(executor.calls),
            frozenset(executor.executed),
            tuple(executor.returns.items()),
            frozenset(executor.constants | executor.executed),
        )


class _EventLog(list[Event]):
    """Events of which somebody hears as they happen."""

    def __init__(self, on_event: Callable[[Event, Oracle], None], oracle: Oracle) -> None:
        super().__init__()
        self._on_event, self._oracle = on_event, oracle

    def append(self, event: Event) -> None:
        """Add one, and tell of it."""
        super().append(event)
        self._on_event(event, self._oracle)


def _find_changed(start: Start, entry: State, legs: Iterable[Leg]) -> frozenset[str]:
    """The registers and flags that have another value at some cut than at the entry, or may,
    though the contract does not list them."""
    kept = [item for item in start.abi.contents if not start.contract.may_change(item)]
    return frozenset(
        name
        for leg in legs
        if leg.end not in start.ends
        for item in kept
        if leg.at.get(name := register_name(start.abi, item)) is not entry.get(name)
    )


def _find_pushed(
    start: Start, legs: Iterable[Leg], cuts: Mapping[int, Cut], oracle: Oracle
) -> frozenset[str]:
    """The bytes of the stack, above the stack pointer, that may be others at each arrival at some
    cut: the routine has variables there."""
    names: set[str] = set()
    for leg in legs:
        cut = cuts.get(leg.end)
        depth = None if cut is None else start.frame.depth(leg.at.get(start.program.cpu.stack))
        if cut is None or depth is None:
            continue
        before, after = cut.arrived.memory, leg.at.memory
        for offset in before.stack().keys() & after.stack().keys():
            if not depth <= offset < 0 or before.pushed(offset) is after.pushed(offset):
                continue
            if before.was_pushed(offset) is t.TRUE is after.was_pushed(offset):
                same = t.eq(before.pushed(offset), after.pushed(offset))
                if not oracle.holds(leg.at.path, same):
                    names.add(stack_name(offset))
    return frozenset(names)


def _interrupts_when(start: Start) -> tuple[str, int] | None:
    """The register that allows interrupts, with its value, where the contract assumes that some
    come: those that change a byte."""
    if all(change.is_port for change in start.contract.changing):
        return None
    register, masked = start.abi.masking
    return register, 1 - masked


def _make_forget(
    start: Start, indexed: frozenset[MemoryObject], keeping: int | None
) -> Callable[[Term], Term]:
    # what is a secret, and what depends on one, must be known
    if keeping is None or start.contract.secrets:
        return lambda value: value
    return Forgetting(keeping, inputs_of(start, indexed))


def by_address(invariants: tuple[Invariant, ...]) -> dict[int, tuple[Condition, ...]]:
    """All conditions of each place."""
    conditions: dict[int, tuple[Condition, ...]] = {}
    for invariant in invariants:
        for address in invariant.addresses:
            conditions[address] = (*conditions.get(address, ()), *invariant.conditions)
    return conditions


def _legs(
    start: Start,
    entry: State,
    executor: Executor,
    invariants: Mapping[int, tuple[Condition, ...]],
    counted: Collection[Counted],
    changing: Collection[str],
) -> tuple[list[Leg], dict[int, Cut]]:
    stops = {*start.ends, *invariants}
    legs: list[Leg] = []
    cuts: dict[int, Cut] = {}
    waiting: list[tuple[ProgramPoint, State]] = []

    def arrive(begin: ProgramPoint, first: State, end: int, state: State) -> None:
        if end not in start.ends and state.frames:
            raise Unfinished(Cause.INVARIANT_IN_CALL, DeadEnd.INVARIANT_IN_CALL(), end)
        legs.append(Leg(begin, end, first, state))
        if end not in start.ends and end not in cuts:
            cuts[end] = cut_at(start, entry, state, end, invariants[end], changing)
            cuts[end].state.iterations = iterations_at(end, counted)
            waiting.append((end, cuts[end].state))

    if start.address in invariants:
        arrive(None, entry, start.address, entry.copy())
    else:
        waiting.append((None, entry))
    while waiting:
        begin, first = waiting.pop(0)
        for end, state in executor.run(first.copy(), stops, begin).items():
            arrive(begin, first, end, state)
    return legs, cuts
