"""The rule for what a result of a call depends on: on the inputs that there are in its terms.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.prover.conditions.cone_of_influence import follow_dependences
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.symbolic.execute.layout import object_of
from romproof.symbolic.terms.origin import byte_name
from romproof.symbolic.terms.term import Term

TIME = "cycles"
"""What the number of cycles is called among the results."""


def sources_of(case: Case) -> Mapping[str, tuple[Item, ...]]:
    """By its name in the microcode (cycles: TIME), for each register or flag that comes out the
    inputs that it depends on; it is not there where that may be all, and more. To be asked where it
    is proved that the results depend on the inputs only."""
    contract, exploration = case.start.plain_contract, case.exploration
    if contract.pointers or not any(isinstance(item, MemoryRange) for item in contract.inputs):
        return {}
    ways = [*_find_path_conditions(case)]
    results: dict[str, list[Term]] = {TIME: []}
    for item in contract.outputs:
        if not isinstance(item, MemoryRange):
            name = register_name(case.abi, item)
            results[name] = [leg.at.get(name) for leg in exploration.returning_legs()]
    known = {v for cut in exploration.cuts.values() for v in cut.unknown.values()}
    known |= {result for call in exploration.calls for result, _ in call.results}
    sources: dict[str, tuple[Item, ...]] = {}
    for result, values in results.items():
        seen = follow_dependences(case, [*ways, *values]) - known
        if all(_is_found(case, variable) for variable in seen):
            sources[result] = tuple(_inputs_among(case, contract.inputs, seen))
    return sources


def _find_path_conditions(case: Case) -> Iterator[Term]:
    """What says which way runs go, and how long they take."""
    for leg in case.exploration.legs:
        yield from leg.at.path
        yield leg.at.total_cycles()


def _is_found(case: Case, variable: Term) -> bool:
    """Whether a variable stands for a register or for memory that the routine finds."""
    name = variable.name
    is_memory = object_of(name) is not None or name.address is not None
    return name.is_at_entry and (is_memory or name in case.start.registers)


def _inputs_among(case: Case, inputs: Iterable[Item], seen: Iterable[Term]) -> Iterator[Item]:
    names = {variable.name for variable in seen}
    for which in filter(None, map(object_of, tuple(names))):
        names |= {byte_name(address) for address in which.cells}
    for item in inputs:
        if not isinstance(item, MemoryRange):
            if register_name(case.abi, item) in names:
                yield item
        elif any(byte_name(address) in names for address in item.addresses()):
            yield item
