"""All ways through a routine: from its entry, and from each place with an invariant, to the next.

Where a contract has an invariant, execution stops: what comes there has to fulfil it, and goes on
as if nothing else was known about what the routine may change. So a loop is executed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from romproof.contract.expr import Condition
from romproof.contract.model import Invariant
from romproof.prove.start import Start, input_bounds, names_of_inputs, register_name
from romproof.prove.view import for_any, term_of
from romproof.symbolic.execute.events import Event, NeedsIndex, Unfinished
from romproof.symbolic.execute.executor import Executor, Lemma
from romproof.symbolic.execute.forget import Forgetting
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

Bounds = Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Leg:
    """The ways from one place to another: ``at`` is the state in the end, all ways together.

    ``begin`` and ``end`` are addresses; ``first`` is the state in the beginning.
    """

    begin: int
    end: int
    first: State = field(repr=False)
    at: State = field(repr=False)


@dataclass(frozen=True)
class Exploration:
    """What symbolic execution found: ``entry`` is the state at the routine's entry.

    ``invariants`` has the conditions by address; ``indexed`` names the objects that were
    arrays.
    """

    start: Start
    entry: State = field(repr=False)
    legs: tuple[Leg, ...]
    events: tuple[Event, ...]
    invariants: Mapping[int, tuple[Condition, ...]]
    indexed: frozenset[str]
    instructions: int

    def first_at(self, begin: int) -> State:
        """The state that execution from ``begin`` began in."""
        return next((leg.first for leg in self.legs if leg.begin == begin), self.entry)

    def returning(self) -> tuple[Leg, ...]:
        """The legs that come to an end of it all: for a routine, the return."""
        return tuple(leg for leg in self.legs if leg.end in self.start.ends)


def explore(
    start: Start,
    bounds: Bounds,
    oracle_for: Callable[[State], Oracle],
    *,
    lemmas: Mapping[int, Lemma],
    deadline: float,
    told: Callable[[int], None],
    keeping: int | None = None,
) -> Exploration:
    """All ways through the routine. Raises Unfinished and solver faults.

    Values of more than ``keeping`` terms are forgotten.
    """
    indexed: frozenset[str] = frozenset()
    while True:
        entry = start.state(indexed, bounds)
        executor = Executor(
            start.program.cpu,
            oracle_for(entry),
            lemmas=lemmas,
            forget=_forgetting(start, indexed, keeping),
            deadline=deadline,
            told=told,
        )
        invariants = by_address(start.contract.invariants)
        try:
            legs = _legs(start, entry, executor, invariants)
        except NeedsIndex as need:
            indexed |= {need.name}
            continue
        events = tuple(executor.events)
        return Exploration(
            start, entry, tuple(legs), events, invariants, indexed, executor.instructions
        )


def _forgetting(
    start: Start, indexed: frozenset[str], keeping: int | None
) -> Callable[[Term], Term]:
    # what is a secret, and what depends on one, must be known
    if keeping is None or start.contract.secrets:
        return lambda value: value
    return Forgetting(keeping, names_of_inputs(start, indexed))


def by_address(invariants: tuple[Invariant, ...]) -> dict[int, tuple[Condition, ...]]:
    """All conditions of each place."""
    found: dict[int, tuple[Condition, ...]] = {}
    for invariant in invariants:
        for address in invariant.addresses:
            found[address] = (*found.get(address, ()), *invariant.conditions)
    return found


def _legs(
    start: Start,
    entry: State,
    executor: Executor,
    invariants: Mapping[int, tuple[Condition, ...]],
) -> list[Leg]:
    stops = {*start.ends, *invariants}
    legs: list[Leg] = []
    begun: set[int] = set()
    waiting = [(start.address, entry)]
    while waiting:
        begin, first = waiting.pop(0)
        for end, state in executor.run(first.copy(), stops).items():
            if end not in start.ends and state.frames:
                raise Unfinished("has an invariant in the middle of a call", end)
            legs.append(Leg(begin, end, first, state))
            if end not in start.ends and end not in begun:
                begun.add(end)
                waiting.append((end, unknown_at(start, entry, state, end, invariants[end])))
    return legs


def unknown(name: str, label: str, width: int, bounds: Bounds) -> Term:
    """A variable for what ``name`` is at a place."""
    return t.var(name + label, width, *bounds.get(name, (0, (1 << width) - 1)))


def unknown_at(
    start: Start, entry: State, arrived: State, address: int, conditions: tuple[Condition, ...]
) -> State:
    """The state at a place of which only the invariant is known.

    What the contract lets the routine change may be anything; all else is as at the entry,
    and so is the stack as it was when execution came here for the first time.
    """
    label = f"@{address:04X}"
    contract, abi, cpu = start.contract, start.program.abi, start.program.cpu
    bounds = input_bounds(start.program, replace(contract, requires=conditions))
    state = entry.copy()
    state.pc = address
    state.lowest = arrived.lowest
    for item in abi.contents:
        if contract.may_change(item):
            name = register_name(abi, item)
            state.registers[name] = unknown(name, label, cpu.registers[name], bounds)
    state.registers[cpu.stack] = arrived.registers[cpu.stack]
    state.registers["pc"] = t.const(address, 16)
    memory = state.memory
    for written in contract.written():
        which = memory.layout.object_at(written.address)
        assert which is not None, "all ranges of a contract are objects"
        if which.name in memory.indexed:
            memory.set_array(which, t.array_var(which.name + label))
        else:
            for place in written.addresses():
                name = memory.layout.byte_name(place)
                memory.set_byte(place, unknown(name, label, 8, bounds))
    for place, value in arrived.memory.changed_bytes().items():
        if memory.layout.object_at(place) is None:
            memory.set_byte(place, value)
    for condition in conditions:
        state.assume(for_any(condition, abi, state, entry))
        state.assume(term_of(condition, abi, state, entry))
    return state
