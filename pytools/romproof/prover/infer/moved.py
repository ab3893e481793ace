"""What a loop that is cut does to registers and addresses, from its legs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from romproof.prover.exploration.explore import Exploration
from romproof.prover.infer.addresses import index_in
from romproof.prover.infer.subject import Subject
from romproof.prover.invariants.quantities import find_callee_conditions, find_range
from romproof.prover.states.entry import register_name
from romproof.prover.states.variables import value_of
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, ITE, VAR
from romproof.symbolic.terms.term import Term


def is_moved(address: Term) -> bool:
    """Whether an address depends on what is not known since a cut."""
    return any(not variable.name.is_at_entry for variable in t.variables([address]))


def find_changed(exploration: Exploration, subject: Subject) -> frozenset[str]:
    """The registers and flags that some leg changes."""
    abi = subject.program.abi
    return frozenset(
        name
        for item in abi.contents
        if (name := register_name(abi, item))
        and any(leg.at.get(name) is not leg.first.get(name) for leg in exploration.legs)
    )


def find_held(exploration: Exploration, subject: Subject, lost: Iterable[Event]) -> dict[int, str]:
    """By loop, the registers in some addresses that the loop leaves alone, and that are one number
    whenever it is entered (``ld c, rSTAT & $FF`` before it), as a condition of contracts."""
    inside = t.variables([event.what for event in lost])
    names = {variable.name.location.name for variable in inside}
    held: dict[int, str] = {}
    for place in exploration.cuts:
        into = exploration.legs_to(place)
        known: list[str] = []
        for name in sorted(names & {*subject.registers}):
            text, values = (
                subject.find_name(name),
                {leg.at.get(name) for leg in into if leg.begin != place},
            )
            kept = all(
                leg.at.get(name) is leg.first.get(name) for leg in into if leg.begin == place
            )
            if text is not None and kept and len(values) == 1 and (value := values.pop()).is_const:
                known.append(f"{text} == {value.number}")
        if known:
            held[place] = ", ".join(known)
    return held


def at_constants(exploration: Exploration) -> tuple[frozenset[int], frozenset[int]]:
    """The addresses of variables that are read, and that are written, by instructions that name
    them."""
    fixed = exploration.start.program.is_fixed
    reads = frozenset(
        event.what.number
        for event in exploration.events
        if event.kind in (EventKind.READS, EventKind.READS_OBJECT)
        and event.what.width == 16
        and event.what.is_const
        and not fixed[event.what.number]
    )
    return reads, frozenset(a for leg in exploration.legs for a in leg.at.memory.changed_bytes())


def at_first(exploration: Exploration, address: Term) -> Term | None:
    """An address that is used in a loop, as it is the first time; None where that is not known."""
    for _ in range(len(exploration.cuts) + 1):
        values: dict[Term, Term] = {}
        for cut in exploration.cuts.values():
            for name, variable in cut.unknown.items():
                if variable.op is ARRAY:
                    continue
                values[variable] = value_of(cut.arrived, name)
        inside = t.variables([address])
        if not any(variable in values for variable in inside):
            break
        address = t.replace(address, {v: value for v, value in values.items() if v in inside})
    return None if is_moved(address) else address


def at_rest(exploration: Exploration, address: Term) -> Term:
    """An address with what loops leave as it is as it came there."""
    values: dict[Term, Term] = {}
    for place, cut in exploration.cuts.items():
        inside = [leg for leg in exploration.legs_to(place) if leg.begin is not None]
        for name, variable in cut.unknown.items():
            if name.address is not None or variable.op is ARRAY:
                continue
            if all(value_of(leg.at, name) is value_of(leg.first, name) for leg in inside):
                values[variable] = value_of(cut.arrived, name)
    return t.replace(address, values)


def step_of(exploration: Exploration, oracle: Oracle, event: Event) -> int | None:
    """By how much an address grows from one iteration to the next; None where not by the same. Of
    an index it is what the byte grows by, which may wrap around."""
    steps: set[int] = set()
    if event.begin is None or event.begin not in exploration.cuts:
        return None
    for path, difference in _differences(exploration, event):
        try:
            number = difference.number if difference.is_const else None
            if number is None:
                number = oracle.example(path, t.TRUE, difference)
                same = t.eq(difference, t.const(number or 0, difference.width))
                if number is None or oracle.always(path, same) is not None:
                    return None
        except Undecided:
            return None
        around = 1 << difference.width
        steps.add(number if number < around // 2 else number - around)
    return steps.pop() if len(steps) == 1 else None


def find_longest_step(exploration: Exploration, oracle: Oracle, event: Event) -> int | None:
    """By how much an address grows at most where it only grows, and less than nothing where it only
    falls; None where it does not, or may go far."""
    if event.begin is None or event.begin not in exploration.cuts:
        return None
    low, high = find_range(oracle, _differences(exploration, event)) or (-1, 1)
    return high if low >= 0 else low if high <= 0 else None


def _differences(exploration: Exploration, event: Event) -> Iterator[tuple[Sequence[Term], Term]]:
    """What an address is more after an iteration than before it, for each way to go round."""
    assert event.begin is not None
    unknown, kept = (
        exploration.cuts[event.begin].unknown,
        find_callee_conditions(exploration, event.begin),
    )
    for leg in exploration.legs_to(event.begin):
        if leg.begin != event.begin:
            continue
        values: dict[Term, Term] = {}
        for name, variable in unknown.items():
            if variable.op is not ARRAY:
                values[variable] = value_of(leg.at, name)
        index = index_in(event.what)
        moved, before = t.replace(event.what, values), event.what
        if index is not None and index[0] in values:
            moved, before = values[index[0]], index[0]
        yield (*leg.at.path, *kept), t.sub(moved, before)


def differs_from(value: Term, before: Term) -> Term | None:
    """When a value can be another than that of a variable of which no other condition speaks, as
    it may be anything; None where that is not seen at once."""
    if before.op is not VAR:
        return None
    if before not in t.variables([value]):
        return t.TRUE
    if value.op is not ITE:
        return None
    condition, then, otherwise = value.args
    if before in t.variables([condition]):
        return None
    if otherwise is before and before not in t.variables([then]):
        return condition
    if then is before and before not in t.variables([otherwise]):
        return t.not_(condition)
    return None
