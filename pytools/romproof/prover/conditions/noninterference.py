"""What outputs and cycles depend on, and what secrets show: claims about two runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import InformationFlow, Property, Reason
from romproof.prover.conditions.cone_of_influence import find_reads
from romproof.prover.conditions.memory import Filled
from romproof.prover.conditions.self_composition import TwoRuns
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding
from romproof.prover.states.entry import register_name
from romproof.prover.states.variables import ContractNames, variables_of
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import OriginKind, byte_name
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message


def dependences(case: Case, filled: Filled) -> Iterator[Finding]:
    """What the outputs and the cycles depend on is listed as input."""
    if "in" in dict(case.start.contract.places):
        runs = _with_same_inputs(case, filled)
        yield case.judge(StatementKind.DEPENDS, Property.DEPENDS(), _claims(case, runs))


def keeps_step(case: Case, filled: Filled) -> bool:
    """Whether which ports are read, and how often, is known to depend on the inputs only."""
    if "in" not in dict(case.start.contract.places):
        return False
    try:
        return not _with_same_inputs(case, filled).ports_differ
    except OutOfTime:  # what is proved stays so
        return False


def _with_same_inputs(case: Case, filled: Filled) -> TwoRuns:
    """Two runs that may differ in all but the inputs."""
    start = case.start
    inputs = variables_of(start, start.contract.inputs)
    outputs = [item for item in start.contract.outputs if isinstance(item, MemoryRange)]
    own = frozenset(address for item in outputs for address in item.addresses())
    return TwoRuns.of(case, lambda name: name not in inputs, own, filled)


def _claims(case: Case, runs: TwoRuns) -> Iterator[Claim]:
    exploration = case.exploration
    begins = Counter(leg.begin for leg in exploration.legs)
    for leg in exploration.legs:
        if begins[leg.begin] > 1:  # both runs must go the same way
            way = [each for each in leg.at.path if each not in leg.first.path]
            yield from _claim_equal(case, runs, leg, InformationFlow.WAY(), t.all_of(way), True)
    for leg in exploration.legs:
        yield from _claim_equal(case, runs, leg, InformationFlow.TIME(), leg.at.total_cycles())
    for leg in exploration.returning_legs():
        for item in exploration.start.contract.outputs:
            yield from _output(case, runs, leg, item)


def _output(case: Case, runs: TwoRuns, leg: Leg, item: Item) -> Iterator[Claim]:
    if not isinstance(item, MemoryRange):
        value = leg.at.get(register_name(case.abi, item))
        for claim in _claim_equal(case, runs, leg, InformationFlow.NAMED(name=item.name), value):
            yield replace(claim, register=item.name.lower())
        return
    memory, address = leg.at.memory, item.address
    while address < item.address + item.size:
        which = memory.layout.object_at(address)
        end = address + 1
        if which is None or which not in memory.indexed:
            value = memory.byte(address)
            same = runs.is_equal_or_unchanged(value, address)
            what = ContractNames(case.start).of(byte_name(address))
        else:
            end = min(which.end, item.address + item.size)
            value = memory.array(which)
            same = runs.has_equal_cells(value, range(address, end))
            what = InformationFlow.CELL(name=which.name)
        if runs.variables([value]):
            yield _claim(case, runs, leg, what, value, same)
        address = end


def _claim_equal(
    case: Case, runs: TwoRuns, leg: Leg, what: Message, value: Term, is_path: bool = False
) -> Iterator[Claim]:
    """That a value is the same in both runs."""
    if not runs.variables([value]):
        return
    holds = runs.translate(value) if is_path else t.eq(value, runs.translate(value))
    yield _claim(case, runs, leg, what, value, holds, is_path)


def _claim(
    case: Case,
    runs: TwoRuns,
    leg: Leg,
    what: Message,
    value: Term,
    holds: Term,
    is_path: bool = False,
) -> Claim:
    path = list(leg.at.path)
    if not is_path:
        path += map(runs.translate, leg.at.path)
    strange = [variable.name for variable in runs.variables([value])]
    names = ContractNames(case.start).some(strange) or InformationFlow.NO_INPUT()
    broken = Reason.DEPENDS_ON(subject=what, names=names)
    if runs.ports_differ and all(name.kind is OriginKind.PORT for name in strange):
        broken = Reason.DEPENDS_ON_PORTS(subject=what, names=names)
    others = runs.find_different([*path, value, *leg.first.path])
    both = runs.hold_in_both(path, leg.first, value)
    return Claim(broken, both, holds, leg, other=others, guesses_ports=runs.ports_differ)


def secrets(case: Case) -> Finding:
    """No branch and no address depends on a secret."""
    start = case.start
    hidden = variables_of(start, start.contract.secrets)
    listed = [item for item in start.contract.secrets if isinstance(item, MemoryRange)]
    ports = start.layout.volatile.intersection(a for item in listed for a in item.addresses())
    runs = TwoRuns.of(case, lambda name: name in hidden, secret_reads=find_reads(case, ports))
    statement = Property.SECRET(names=tuple(_names(start.contract.secrets)))
    image = start.program.image

    def claims() -> Iterator[Claim]:
        for event in case.exploration.events:
            if event.kind not in (EventKind.BRANCH, EventKind.ADDRESS):
                continue
            involved = [event.what, *event.path]
            if not runs.variables(involved):
                continue
            what = (
                InformationFlow.BRANCH()
                if event.kind is EventKind.BRANCH
                else InformationFlow.ADDRESS()
            )
            first = case.exploration.start_state(event.begin)
            path = [*event.path, *map(runs.translate, event.path)]
            path = runs.hold_in_both(path, first, event.what)
            same = t.eq(event.what, runs.translate(event.what))
            broken = Reason.SHOWS_SECRET(subject=what, instruction=image.describe(event.pc))
            others = runs.find_different([*involved, *first.path])
            guesses = runs.ports_differ
            yield Claim(broken, path, same, event=event, other=others, guesses_ports=guesses)

    return case.judge(StatementKind.SECRET, statement, claims())


def _names(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        yield str(item) if isinstance(item, MemoryRange) else item.name
