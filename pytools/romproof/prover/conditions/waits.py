"""The rule for loops that wait: they end if a port, or a byte that interrupts write, changes.

Contracts can assume that.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from romproof.contract.nouns.changes import AssumedChange
from romproof.prover.catalogue import Assumption
from romproof.prover.conditions.interrupts import Interruption, interruption_of
from romproof.prover.exploration.explore import Exploration, Leg, ProgramPoint
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.prover.states.variables import value_of
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.solve.frontier_steps import conjuncts
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import VariableName
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message

_USUAL = (0, 0xFF, *(1 << bit for bit in range(8)))
"""Values that ports often have when something has happened."""


@dataclass(frozen=True)
class Wait:
    """``legs`` that are not taken for ever if the memory of ``change`` changes. ``interruption`` is
    what is known of the handler that is to change it, where the contract names one."""

    legs: tuple[Leg, ...] = field(repr=False)
    change: AssumedChange
    interruption: Interruption | None = None


def assumption_of(change: AssumedChange) -> str:
    """What is assumed of a port, or of a byte that interrupts write."""
    return f"{change.name} changes"


def describe_change(change: AssumedChange) -> Message:
    """The same, with what it means."""
    assumption = assumption_of(change)
    if change.is_port:
        return Assumption.PORT_CHANGES(assumption=assumption)
    if change.handler:
        return Assumption.HANDLER_CHANGES(assumption=assumption, handler=change.handler)
    return Assumption.INTERRUPTS_CHANGE(assumption=assumption)


def waits_for(case: Case, places: frozenset[int], inside: Sequence[Leg]) -> Wait | None:
    """A wait that the legs between some cuts are, for memory that the contract assumes to change;
    None where there is none."""
    for change in case.contract.changing:
        for pc in _instructions(case, places, change):
            by_begin = _reads(case, places, pc, change)
            if by_begin is None:
                continue
            reading = _find_reading_legs(case, inside, by_begin)
            if not reading:
                continue
            if change.is_port:
                if _some_value_leaves(case, places, reading, by_begin) or _some_stored_value_leaves(
                    case, inside, reading, by_begin
                ):
                    return Wait(tuple(reading), change)
            elif _is_unwritten(inside, change):
                stays = _value_that_stays(case, inside, reading, by_begin)
                if stays is None:
                    continue
                value = stays.number if stays.is_const else None
                by = change.handler
                known = interruption_of(case, change, inside, value) if by else None
                return Wait(tuple(reading), change, known)
    return None


def find_waiting_cuts(exploration: Exploration) -> frozenset[int]:
    """The cuts with a path back to them that reads a port."""
    reads = {e.begin for e in exploration.events if e.kind is EventKind.READS_PORT}
    return frozenset(leg.end for leg in exploration.legs if leg.begin == leg.end in reads)


def read_there(case: Case, places: frozenset[int]) -> list[int]:
    """The ports that are read on legs from some cuts, by address."""
    return sorted({e.what.number for e in _port_reads(case, places) if e.what.is_const})


def _port_reads(case: Case, places: frozenset[int]) -> Iterator[Event]:
    for event in case.exploration.events:
        if event.kind is EventKind.READS_PORT and event.begin in places:
            yield event


def _instructions(case: Case, places: frozenset[int], change: AssumedChange) -> list[int]:
    """The instructions that were executed and read what changes on legs from some cuts."""
    return sorted(
        {
            event.pc
            for event in _port_reads(case, places)
            if event.what.is_const
            and event.what.number in change.memory.addresses()
            and event.pc in case.exploration.executed
        }
    )


def _reads(
    case: Case, places: frozenset[int], pc: int, change: AssumedChange
) -> dict[ProgramPoint, Event] | None:
    """What an instruction reads, by the cut where the legs begin; None where it is not always one
    and the same byte of the memory, or is executed more than once on the way from a cut."""
    by_begin: dict[ProgramPoint, Event] = {}
    addresses: set[Term] = set()
    for event in _port_reads(case, places):
        if event.pc != pc:
            continue
        addresses.add(event.what)
        if event.begin in by_begin or event.value is None or len(addresses) > 1:
            return None
        if not event.what.is_const or event.what.number not in change.memory.addresses():
            return None
        by_begin[event.begin] = event
    return by_begin


def _find_reading_legs(
    case: Case, inside: Sequence[Leg], by_begin: dict[ProgramPoint, Event]
) -> list[Leg] | None:
    """The legs on which it is read; None where that is on some paths of a leg only."""
    reading: list[Leg] = []
    for leg in inside:
        event = by_begin.get(leg.begin)
        if event is None:
            continue
        happens = t.all_of(event.path)
        if case.oracle.holds(leg.at.path, happens):
            reading.append(leg)
        elif not case.oracle.holds(leg.at.path, t.not_(happens)):
            return None
    return reading


def _some_value_leaves(
    case: Case, places: frozenset[int], reading: Sequence[Leg], by_begin: dict[ProgramPoint, Event]
) -> bool:
    """Whether there is a value with which none of the legs is taken."""
    examples: list[int] = []
    for leg in case.legs:
        event = by_begin.get(leg.begin) if leg.begin in places else None
        if event is not None and event.value is not None and leg.end not in places:
            try:
                example = case.oracle.example(leg.at.path, t.TRUE, event.value)
            except Undecided:
                continue
            examples += [] if example is None else [example]
    return any(
        all(_is_not(case, leg, by_begin, t.const(value, 8)) for leg in reading)
        for value in dict.fromkeys([*examples, *_USUAL])
    )


def _some_stored_value_leaves(
    case: Case, inside: Sequence[Leg], reading: Sequence[Leg], by_begin: dict[ProgramPoint, Event]
) -> bool:
    """The same of what a register or a byte holds, which no leg between the cuts changes."""
    return any(
        all(_is_not(case, leg, by_begin, value_of(leg.first, name)) for leg in reading)
        for name in _find_kept(case, inside, reading, by_begin)
    )


def _value_that_stays(
    case: Case, inside: Sequence[Leg], reading: Sequence[Leg], by_begin: dict[ProgramPoint, Event]
) -> Term | None:
    """The one value with which the legs are taken: a number, or what a register or a byte holds
    that no leg between the cuts changes. Then the first value read is this one, and any other ends
    the wait. None where there are more values."""
    first = by_begin[reading[0].begin].value
    assert first is not None, "a read of a port has one"
    try:
        example = case.oracle.example(reading[0].at.path, t.TRUE, first)
    except Undecided:
        example = None
    if example is not None:
        value = t.const(example, 8)
        if all(_is_only(case, leg, by_begin, value) for leg in reading):
            return value
    for name in _find_kept(case, inside, reading, by_begin):
        if all(_is_only(case, leg, by_begin, value_of(leg.first, name)) for leg in reading):
            return value_of(reading[0].first, name)
    return None


def _find_kept(
    case: Case, inside: Sequence[Leg], reading: Sequence[Leg], by_begin: dict[ProgramPoint, Event]
) -> Iterator[VariableName]:
    """The registers and bytes that no leg between the cuts changes, of those that have a part in
    conditions on the value read."""
    read = {event.value for event in by_begin.values()}
    names: set[VariableName] = set()
    for condition in conjuncts(part for leg in reading for part in leg.at.path):
        variables = t.variables([condition])
        if any(each in read for each in variables):
            names |= {each.name.location.name for each in variables if each.width == 8}
    for name in sorted(names & _places(case, names)):
        if all(_is_kept(case, leg, name) for leg in inside):
            yield name


def _is_unwritten(inside: Sequence[Leg], change: AssumedChange) -> bool:
    """Whether no leg writes the memory that changes: a write could undo what an interrupt did."""
    return all(
        leg.first.memory.byte(address) is leg.at.memory.byte(address)
        for leg in inside
        for address in change.memory.addresses()
    )


def _places(case: Case, names: Iterable[VariableName]) -> set[VariableName]:
    """Registers, and those of some names that are of a byte that is no port."""
    ports = case.entry.memory.layout.volatile
    places = {register_name(case.abi, item) for item in case.abi.contents}
    places |= {name for name in names if name.address is not None and name.address not in ports}
    return places


def _is_kept(case: Case, leg: Leg, name: VariableName) -> bool:
    """Whether a leg leaves a register or a byte as it is."""
    return case.oracle.holds(leg.at.path, t.eq(value_of(leg.first, name), value_of(leg.at, name)))


def _is_only(case: Case, leg: Leg, by_begin: dict[ProgramPoint, Event], value: Term) -> bool:
    """Whether what is read on a leg is always a value."""
    read = by_begin[leg.begin].value
    assert read is not None, "a read of a port has one"
    return case.oracle.holds(leg.at.path, t.eq(read, value))


def _is_not(case: Case, leg: Leg, by_begin: dict[ProgramPoint, Event], value: Term) -> bool:
    """Whether what is read on a leg is never a value."""
    read = by_begin[leg.begin].value
    assert read is not None, "a read of a port has one"
    return case.oracle.holds(leg.at.path, t.not_(t.eq(read, value)))
