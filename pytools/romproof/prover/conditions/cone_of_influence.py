"""Which of the unknown values at invariants have a part in what is claimed of two runs.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from romproof.contract.nouns.items import MemoryRange
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.prover.states.variables import value_of
from romproof.symbolic.execute.access import among
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.layout import object_of
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import VariableName
from romproof.symbolic.terms.term import Term

_CLAIMED = (EventKind.BRANCH, EventKind.ADDRESS)
"""What is claimed of where there are secrets."""


def find_relevant(case: Case, own: Collection[int]) -> Mapping[int, frozenset[VariableName]]:
    """By the address of each cut the names of unknown values of which branches, cycles, outputs and
    reads of ports depend, of a routine that gives back the addresses ``own``; where there are
    secrets, those of addresses, too."""
    cuts = case.exploration.cuts
    seen = follow_dependences(case, _roots(case, own))
    found = {
        place: {name for name, variable in cut.unknown.items() if variable in seen}
        for place, cut in cuts.items()
    }
    for place, cut in cuts.items():  # of memory that is given back all is compared, byte by byte
        found[place] |= {name for name in cut.unknown if _is_within(name, own)}
    return {place: frozenset(names) for place, names in found.items()}


def follow_dependences(case: Case, roots: Iterable[Term]) -> frozenset[Term]:
    """The variables that some values depend on: those in them, what callees give back in these, and
    what comes to the invariants that these are unknown at."""
    exploration = case.exploration
    places = {
        variable: (place, name)
        for place, cut in exploration.cuts.items()
        for name, variable in cut.unknown.items()
    }
    results = {result.name: needs for call in exploration.calls for result, needs in call.results}
    seen: set[Term] = set()
    waiting = [*t.variables(roots)]
    while waiting:
        variable = waiting.pop()
        if variable in seen:
            continue
        seen.add(variable)
        more: list[Term] = list(results.get(variable.name, ()))
        if variable in places:
            place, name = places[variable]
            more += [value_of(leg.at, name) for leg in exploration.legs_to(place)]
        waiting += t.variables(more)
    return frozenset(seen)


def find_reads(case: Case, ports: Collection[int]) -> Mapping[str, Term]:
    """What may have been read from some ports, by the name of its variable: one bit, was it?"""
    return {
        event.value.name: among(event.what, ports)
        for event in (case.exploration.events if ports else ())
        if event.kind is EventKind.READS_PORT and event.value is not None
        if any(event.what.low <= address <= event.what.high for address in ports)
    }


def _roots(case: Case, own: Collection[int]) -> Iterator[Term]:
    exploration = case.exploration
    for leg in exploration.legs:
        yield from leg.at.path
        yield leg.at.total_cycles()
    for event in exploration.events:
        if event.kind is EventKind.READS_PORT or (case.contract.secrets and event.kind in _CLAIMED):
            yield from event.path
            yield event.what
    for leg in exploration.returning_legs():
        yield from _find_outputs(case, leg, own)
    for call in exploration.calls:
        if call.ports:
            yield from call.path
            yield from (need for _, needs in call.results for need in needs)


def _find_outputs(case: Case, leg: Leg, own: Collection[int]) -> Iterator[Term]:
    for item in case.contract.outputs:
        if not isinstance(item, MemoryRange):
            yield leg.at.get(register_name(case.abi, item))
    for address, value in leg.at.memory.changed_bytes().items():
        if address in own:
            yield value
    for which, array in leg.at.memory.changed_arrays().items():
        if any(address in own for address in range(which.address, which.end)):
            yield array


def _is_within(name: VariableName, own: Collection[int]) -> bool:
    """Whether what a cut calls so is memory of which some is given back."""
    which = object_of(name)
    if which is not None:
        return any(each in own for each in which.cells)
    return name.address in own
