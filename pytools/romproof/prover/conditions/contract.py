"""The statements of a contract, each as claims about what symbolic execution found.

A claim is about one leg, or one event on it; by induction over the legs that were executed it
then holds for every call. What each rule rests on is said in docs/proved.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.statement import StatementKind
from romproof.prover.catalogue import Property, Reason
from romproof.prover.conditions.memory import Filled, find_written_at_cuts
from romproof.prover.exploration.cut_points import Cut
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case, Claim
from romproof.prover.results import Finding, Verdict
from romproof.prover.states.entry import register_name
from romproof.prover.states.view import for_any, for_each
from romproof.symbolic.execute.access import among
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import stack_name
from romproof.symbolic.terms.term import Term
from romproof.text.cause import Cause
from romproof.text.messages import Message

OF_EVENTS = {
    EventKind.READS_CUT: Cause.NOT_FILLED,
    EventKind.TOO_MANY_PLACES: Cause.ADDRESS_ANYWHERE,
}
"""The classes of what events show to be wrong, of those that have one."""


def registers(case: Case) -> Finding:
    """What is not listed comes back unchanged: at the return and wherever an invariant stands."""
    contract, start = case.contract, case.start
    preserved = [item for item in case.abi.contents if not contract.may_change(item)]
    names = " ".join(item.name for item in preserved)
    statement = Property.PRESERVES(registers=names) if preserved else Property.PRESERVES_NONE()

    def claims() -> Iterator[Claim]:
        for leg in case.legs:
            for item in preserved:
                name = register_name(case.abi, item)
                if leg.end not in start.ends and name in case.exploration.cuts[leg.end].unknown:
                    continue  # nothing is supposed of it there
                wanted = (
                    start.find_preserved(item) if leg.end in start.ends else case.entry.get(name)
                )
                same = t.eq(leg.at.get(name), wanted)
                yield Claim(Reason.NOT_PRESERVED(name=item.name), leg.at.path, same, leg)

    return case.judge(StatementKind.PRESERVES, statement, claims())


def memory(case: Case) -> Finding:
    """Only the memory that is listed changes."""
    start, contract = case.start, case.contract
    allowed = {a for item in contract.written() for a in item.addresses()}
    describe = start.program.image.describe

    def claims() -> Iterator[Claim]:
        for leg in case.legs:
            for address, value in leg.at.memory.changed_bytes().items():
                if address not in allowed:
                    same = t.eq(value, case.entry.memory.byte(address))
                    yield Claim(Reason.CHANGES(place=describe(address)), leg.at.path, same, leg)
            for which, array in leg.at.memory.changed_arrays().items():
                outside = [a for a in range(which.address, which.end) if a not in allowed]
                before = case.entry.memory.array(which)
                for address in outside if array is not before else ():
                    place = t.const(address, 16)
                    same = t.eq(t.load(array, place), t.load(before, place))
                    yield Claim(Reason.CHANGES(place=describe(address)), leg.at.path, same, leg)
        for event in case.exploration.events:
            if event.kind in (EventKind.WRITES, EventKind.WRITES_FIXED):
                yield Claim(_describe_access(case, event), event.path, t.FALSE, event=event)

    places = tuple(map(str, contract.written()))
    statement = Property.CHANGES_ONLY(places=places) if places else Property.CHANGES_NOTHING()
    return case.judge(StatementKind.WRITES, statement, claims())


def stack(case: Case, most: int) -> Finding:
    """No more stack than the contract says."""
    lowest = min(leg.at.lowest for leg in case.legs)
    statement = Property.STACK(most=most)
    if -lowest <= most:
        used = Reason.STACK_USED(bytes=-lowest)
        return Finding(statement, Verdict.PROVED, used, kind=StatementKind.STACK)
    # of a leg only the deepest of its paths is known: an input may go another one
    leg = next(leg for leg in case.legs if leg.at.lowest == lowest)
    exceeded = Reason.STACK_USED(bytes=-lowest)
    return case.writing(StatementKind.STACK, statement, exceeded, leg, lowest)


def reads(case: Case, filled: Filled) -> Finding:
    """No memory is read that is not listed, and none before it was written."""
    inputs = case.contract.inputs
    allowed = {a for i in inputs if isinstance(i, MemoryRange) for a in i.addresses()}
    written = find_written_at_cuts(case)
    strange = (EventKind.READS, EventKind.TOO_MANY_PLACES)

    def claims() -> Iterator[Claim]:
        for event in case.exploration.events:
            where = event.what.number if event.what.is_const else None
            before = event.kind is EventKind.READS_CUT and event.begin is not None
            sure = before and where in written[event.begin]  # type: ignore[index]
            if (
                event.kind in strange
                or (event.kind is EventKind.READS_OBJECT and where not in allowed)
                or (event.kind is EventKind.READS_CUT and where not in allowed and not sure)
            ):
                cause, access = OF_EVENTS.get(event.kind), _describe_access(case, event)
                yield Claim(access, event.path, t.FALSE, event=event, cause=cause)
            elif event.kind is EventKind.READS_PORT:
                listed = among(event.what, allowed)
                yield Claim(_describe_access(case, event), event.path, listed, event=event)
            elif event.kind is EventKind.READS_ARRAY and event.value is not None:
                before_it = written[event.begin] if event.begin is not None else frozenset()
                right = t.or_(event.value, among(event.what, allowed | before_it))
                if event.begin is not None and not _follows(case, event, right):
                    right = t.or_(right, filled.before(event.begin, event.what))
                yield Claim(_describe_access(case, event), event.path, right, event=event)
            elif event.kind is EventKind.BREAKS and isinstance(event.about, Message):
                yield Claim(event.about, event.path, event.what, event=event)

    return case.judge(StatementKind.READS, Property.READS_INPUTS(), claims())


def _follows(case: Case, event: Event, claim: Term) -> bool:
    """Whether a claim holds whenever an event happens."""
    return bool(claim.number) if claim.is_const else case.oracle.holds(event.path, claim)


def _describe_access(case: Case, event: Event) -> Message:
    access = access_of(case, event, partial(_place, case))
    is_array = event.kind is EventKind.READS_ARRAY and event.begin is not None
    return Reason.ACCESS_OF_ARRAY(access=access) if is_array else access


def access_of(case: Case, event: Event, name: Callable[[int], str]) -> Message:
    """What an event does, to which address by its ``name``, and where."""
    what, instruction = event.kind.value, case.image.describe(event.pc)
    if not event.what.is_const:
        return Reason.ACCESS_ANYWHERE(event=what, instruction=instruction)
    return Reason.ACCESS(event=what, place=name(event.what.number), instruction=instruction)


def _place(case: Case, address: int) -> str:
    """What people call an address: of what stands for a block, the byte of that."""
    which = case.start.layout.object_at(address)
    if which is not None and which in case.start.block_objects:
        return f"{which.name}[{address - which.address}]"
    return case.image.describe(address)


def ensures(case: Case) -> Iterator[Finding]:
    """What holds after the return."""
    for condition in case.contract.ensures:
        claims = [
            Claim(
                Reason.DOES_NOT_HOLD(),
                leg.at.path,
                for_each(condition, case.abi, leg.at, case.entry),
                leg,
            )
            for leg in case.exploration.returning_legs()
        ]
        statement = Property.ENSURES(condition=condition.text)
        yield case.judge(StatementKind.ENSURES, statement, claims)


def assertions(case: Case) -> Iterator[Finding]:
    """What is asserted of places holds whenever execution comes there; what comes later may rest
    on it. Where nothing comes there, nothing is asserted."""
    exploration, image = case.exploration, case.image
    for claim in case.contract.assertions:
        for address in claim.addresses:
            place = image.describe(address)
            for condition in claim.conditions:
                statement = Property.ASSERTION(place=place, condition=condition.text)
                if address not in exploration.executed:
                    reason = Reason.NO_PATH(span=str(claim.span), place=place)
                    yield Finding(statement, Verdict.VACUOUS, reason, kind=StatementKind.ASSERTION)
                    continue
                yield case.judge(
                    StatementKind.ASSERTION,
                    statement,
                    (
                        Claim(Reason.DOES_NOT_HOLD(), event.path, event.what, event=event)
                        for event in exploration.events
                        if event.kind is EventKind.ASSERTS
                        and event.pc == address
                        and event.about == condition
                    ),
                )


def cuts(case: Case) -> Iterator[Finding]:
    """At each arrival the stack is as it was when execution came there first."""
    cpu, image = case.program.cpu, case.image
    for address, cut in case.exploration.cuts.items():

        def claims(address: int = address, cut: Cut = cut) -> Iterator[Claim]:
            arrived = cut.arrived
            for leg in case.exploration.legs_to(address):
                same = t.eq(leg.at.get(cpu.stack), arrived.get(cpu.stack))
                broken, cause = Reason.POINTER_DIFFERS(), Cause.DIFFERENT_STACKS
                yield Claim(broken, leg.at.path, same, leg, cause=cause)
                running = t.eq(leg.at.get(cpu.special), t.const(0, cpu.registers[cpu.special]))
                yield Claim(Reason.DELAYS(), leg.at.path, running, leg)
                pushed = dict.fromkeys([*arrived.memory.stack(), *leg.at.memory.stack()])
                depth = case.start.frame.depth(leg.at.get(cpu.stack))
                for offset in pushed:
                    if depth is not None and offset < depth:
                        continue  # below the stack pointer: it was pulled
                    if stack_name(offset) in cut.unknown:  # it is supposed to be there, no more
                        pushed_here = leg.at.memory.was_pushed(offset)
                        broken = Reason.PUSHED_NOT_EVERYWHERE()
                        yield Claim(broken, leg.at.path, pushed_here, leg)
                        continue
                    same = t.eq(leg.at.memory.pushed(offset), arrived.memory.pushed(offset))
                    broken = Reason.PUSHED_DIFFERS()
                    yield Claim(broken, leg.at.path, same, leg)

        yield case.judge(
            StatementKind.STACK_AT_CUT,
            Property.SAME_STACK(place=image.describe(address)),
            claims(),
        )


def invariants(case: Case) -> Iterator[Finding]:
    """Invariants hold when execution reaches them the first time, and each time after."""
    image = case.image
    for address, cut in case.exploration.cuts.items():
        place = image.describe(address)
        legs = case.exploration.legs_to(address)
        # all at once is quicker; which one is broken matters only if one is
        broken = Reason.DOES_NOT_HOLD()
        together = [
            Claim(broken, leg.at.path, _all_of(case, leg, cut.conditions), leg) for leg in legs
        ]
        judged = case.judge(StatementKind.INVARIANT, Property.INVARIANTS(), together)
        known = judged.verdict is Verdict.PROVED
        for condition in cut.conditions:
            statement = Property.INVARIANT(place=place, condition=condition.text)
            if known:
                yield Finding(statement, Verdict.PROVED, kind=StatementKind.INVARIANT)
            else:
                yield case.judge(
                    StatementKind.INVARIANT,
                    statement,
                    (_claim_preserved(case, leg, condition) for leg in legs),
                )


def _claim_preserved(case: Case, leg: Leg, condition: Condition) -> Claim:
    if leg.begin is None:
        broken = Reason.NOT_ON_ENTRY()
    else:
        broken = Reason.NOT_PRESERVED_FROM(place=case.image.describe(leg.begin))
    return Claim(broken, leg.at.path, _all_of(case, leg, [condition]), leg)


def _all_of(case: Case, leg: Leg, conditions: Iterable[Condition]) -> Term:
    terms = (for_any(condition, case.abi, leg.at, case.entry) for condition in conditions)
    known = set(leg.at.path)  # of what the leg leaves as it was nothing has to be asked
    return t.all_of(each for each in terms if each not in known)
