"""The statements of a contract, checked on what symbolic execution found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from romproof.contract.expr import Condition
from romproof.contract.items import Item, MemoryRange
from romproof.prove.case import Case, Claim, renamed
from romproof.prove.explore import Leg
from romproof.prove.results import Finding, Verdict
from romproof.prove.start import names_of_inputs, register_name
from romproof.prove.view import for_any
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.execute.state import State, conjunction
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

SHOWN = 4
"""Variables that are named where there are many."""


def check_all(case: Case) -> list[Finding]:
    """All statements but the one on cycles."""
    findings = [registers(case), memory(case), reads(case)]
    contract = case.found.start.contract
    if contract.stack is not None:
        findings.append(stack(case, contract.stack))
    findings += dependences(case)
    findings += ensures(case)
    findings += invariants(case)
    if contract.secrets:
        findings.append(secrets(case))
    return findings


def registers(case: Case) -> Finding:
    """What is not listed comes back unchanged: at the return and wherever an invariant stands."""
    contract, entry = case.found.start.contract, case.found.entry
    kept = [item for item in case.abi.contents if not contract.may_change(item)]
    names = " ".join(item.name for item in kept) or "no register"

    def claims() -> Iterator[Claim]:
        for leg in case.found.legs:
            for item in kept:
                name = register_name(case.abi, item)
                same = t.eq(leg.at.get(name), entry.get(name))
                yield Claim(f"{item.name} does not come back as it was", leg.at.path, same, leg)
            if leg.end in case.found.start.ends:
                cpu, start = case.found.start.program.cpu, case.found.start
                wanted = t.const(start.stack_after, cpu.registers[cpu.stack])
                same = t.eq(leg.at.get(cpu.stack), wanted)
                yield Claim("pushes and pulls do not balance", leg.at.path, same, leg)

    return case.judge(f"preserves {names}", claims())


def memory(case: Case) -> Finding:
    """Only the memory that is listed changes."""
    start, contract = case.found.start, case.found.start.contract
    allowed = {a for item in contract.written() for a in item.addresses()}
    describe = start.program.image.describe

    def claims() -> Iterator[Claim]:
        for leg in case.found.legs:
            yield from _kept_bytes(case, leg, allowed)
            for which, array in leg.at.memory.changed_arrays().items():
                outside = [a for a in range(which.address, which.end) if a not in allowed]
                before = case.found.entry.memory.array(which)
                for address in outside if array is not before else ():
                    place = t.const(address, 16)
                    same = t.eq(t.load(array, place), t.load(before, place))
                    yield Claim(f"{describe(address)} changes", leg.at.path, same, leg)
        for event in case.found.events:
            if event.kind in (EventKind.WRITES, EventKind.WRITES_FIXED):
                yield Claim(_told(case, event), event.path, t.FALSE, event=event)

    names = ", ".join(str(item) for item in contract.written())
    statement = f"changes {names} and nothing else" if names else "changes no memory"
    return case.judge(statement, claims())


def _kept_bytes(case: Case, leg: Leg, allowed: set[int]) -> Iterator[Claim]:
    start = case.found.start
    dead = case.abi.on_stack(leg.at.lowest, start.stack + case.abi.return_size)
    used = case.abi.on_stack(leg.at.lowest, _pointer(case, leg.at))
    if leg.end not in start.ends:
        dead = used
    first = next(each.at for each in case.found.legs if each.end == leg.end)
    for address, value in leg.at.memory.changed_bytes().items():
        if address in allowed or address in dead:
            continue
        before = case.found.entry.memory.byte(address)
        if leg.end not in start.ends and start.layout.object_at(address) is None:
            before = first.memory.byte(address)
        broken = f"{start.program.image.describe(address)} changes"
        yield Claim(broken, leg.at.path, t.eq(value, before), leg)


def _pointer(case: Case, state: State) -> int:
    return state.get(case.found.start.program.cpu.stack).number


def stack(case: Case, most: int) -> Finding:
    """No more stack than the contract says."""
    start = case.found.start
    lowest = min(leg.at.lowest for leg in case.found.legs)
    deepest = start.stack - lowest
    statement = f"uses at most {most} bytes of stack"
    if deepest <= most:
        return Finding(statement, Verdict.PROVED, f"{deepest} are used")
    # of a leg only the deepest of its ways is known: an input may go another one
    leg = next(leg for leg in case.found.legs if leg.at.lowest == lowest)
    place = case.abi.on_stack(lowest, start.stack)[0]
    return case.writing(statement, f"it uses {deepest}", leg, place)


def reads(case: Case) -> Finding:
    """No memory is read that is not listed, and none before it was written."""
    inputs = case.found.start.contract.inputs
    allowed = {a for i in inputs if isinstance(i, MemoryRange) for a in i.addresses()}

    def claims() -> Iterator[Claim]:
        for event in case.found.events:
            where = event.what.number if event.what.is_const else None
            strange = event.kind in (EventKind.READS, EventKind.TOO_MANY_PLACES)
            if strange or (event.kind is EventKind.READS_OBJECT and where not in allowed):
                yield Claim(_told(case, event), event.path, t.FALSE, event=event)
            elif event.kind is EventKind.BREAKS:
                yield Claim(event.detail, event.path, event.what, event=event)

    return case.judge("reads only its inputs", claims())


def _told(case: Case, event: Event) -> str:
    image = case.found.start.program.image
    what = image.describe(event.what.number) if event.what.is_const else "an address"
    return f"{event.kind.value}: {what}, at {image.describe(event.pc)}"


def ensures(case: Case) -> Iterator[Finding]:
    """What holds after the return."""
    for condition in case.found.start.contract.ensures:
        claims = [
            Claim(
                "it does not hold",
                leg.at.path,
                for_any(condition, case.abi, leg.at, case.found.entry),
                leg,
            )
            for leg in case.found.returning()
        ]
        yield case.judge(f"ensures {condition.text}", claims)


def invariants(case: Case) -> Iterator[Finding]:
    """Invariants hold when execution comes to them the first time, and each time after."""
    image = case.found.start.program.image
    for address, conditions in case.found.invariants.items():
        place = image.describe(address)
        legs = [leg for leg in case.found.legs if leg.end == address]
        # all at once is quicker; which one is broken matters only if one is
        together = [Claim("", leg.at.path, _all_of(case, leg, conditions), leg) for leg in legs]
        known = case.judge("", together).verdict is Verdict.PROVED
        for condition in conditions:
            statement = f"invariant at {place}: {condition.text}"
            if known:
                yield Finding(statement, Verdict.PROVED)
            else:
                yield case.judge(statement, (_kept(case, leg, condition) for leg in legs))


def _kept(case: Case, leg: Leg, condition: Condition) -> Claim:
    if leg.begin == case.found.start.address:
        broken = "it does not hold on entry"
    else:
        whence = case.found.start.program.image.describe(leg.begin)
        broken = f"it is not kept on the way from {whence}"
    return Claim(broken, leg.at.path, _all_of(case, leg, [condition]), leg)


def _all_of(case: Case, leg: Leg, conditions: Iterable[Condition]) -> Term:
    return conjunction(
        for_any(condition, case.abi, leg.at, case.found.entry) for condition in conditions
    )


def dependences(case: Case) -> Iterator[Finding]:
    """What the outputs and the cycles depend on is listed as input."""
    start, found = case.found.start, case.found
    if "in" not in dict(start.contract.places):
        return
    inputs = names_of_inputs(start, found.indexed)

    def claims() -> Iterator[Claim]:
        for leg in found.returning():
            for item in start.contract.outputs:
                for name, value, own in _values(case, leg.at, item):
                    yield from _other_inputs(case, leg, name, value, inputs | own)
            yield from _other_inputs(case, leg, "the time", leg.at.total_cycles(), inputs)

    yield case.judge("depends on its inputs only", claims())


def _values(case: Case, state: State, item: Item) -> Iterator[tuple[str, Term, frozenset[str]]]:
    """The values of an output, with the names of what it holds before."""
    if not isinstance(item, MemoryRange):
        yield item.name, state.get(register_name(case.abi, item)), frozenset()
        return
    layout = case.found.start.layout
    which = layout.object_at(item.address)
    if which is not None and which.name in case.found.indexed:
        return  # what it does not write of an array stays, and that is no input
    for address in item.addresses():
        name = layout.byte_name(address)
        yield name, state.memory.byte(address), frozenset([name])


def _other_inputs(
    case: Case, leg: Leg, name: str, value: Term, inputs: frozenset[str]
) -> Iterator[Claim]:
    """That a value is the same whatever is in what is no input."""
    path = conjunction(leg.at.path)
    strange = [v for v in t.variables([value, path]) if v.name not in inputs and "@" not in v.name]
    if not strange:
        return
    others = renamed(strange)
    same = t.eq(value, t.replace(value, others))
    here = t.variables([value])
    names = _shown(case, sorted(v.name for v in strange if v in here))
    broken = f"{name} depends on {names or 'what is no input'}, which is not listed under 'in:'"
    yield Claim(broken, [path, t.replace(path, others)], same, leg, other=others)


def _shown(case: Case, names: Sequence[str]) -> str:
    """Variables as contracts call them, the first of many."""
    program = case.found.start.program
    told = [
        name.upper()
        if name in case.found.start.registers
        else program.name_at(int(name[1:], 16))
        if name.startswith("$")
        else name
        for name in names[:SHOWN]
    ]
    return ", ".join(told) + (" …" if len(names) > SHOWN else "")


def secrets(case: Case) -> Finding:
    """No branch and no address depends on a secret."""
    start = case.found.start
    names: set[str] = set()
    for item in start.contract.secrets:
        if isinstance(item, MemoryRange):
            names |= {start.layout.byte_name(a) for a in item.addresses()}
            which = start.layout.object_at(item.address)
            names |= {which.name} if which is not None else set()
        else:
            names.add(register_name(case.abi, item))
    image = start.program.image

    def claims() -> Iterator[Claim]:
        for event in case.found.events:
            if event.kind not in (EventKind.BRANCH, EventKind.ADDRESS):
                continue
            path = conjunction(event.path)
            secret = [v for v in t.variables([event.what, path]) if v.name in names]
            if not secret:
                continue
            others = renamed(secret)
            what = "a branch" if event.kind is EventKind.BRANCH else "an address"
            same = t.eq(event.what, t.replace(event.what, others))
            broken = f"{what} at {image.describe(event.pc)} depends on it"
            yield Claim(broken, [path, t.replace(path, others)], same, event=event, other=others)

    text = ", ".join(
        str(item) if isinstance(item, MemoryRange) else item.name for item in start.contract.secrets
    )
    return case.judge(f"keeps {text} secret: no branch or address depends on it", claims())
