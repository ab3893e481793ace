"""The rule for loops that wait for a port: they end if it changes, which contracts can assume.

``assumes: PORT changes`` says: an instruction that reads the port again and again, without an end,
reads each of the 256 values again and again. Take a set of cuts that lead to each other, and an
instruction that reads the port once on each of some legs between them, and on no other leg between
them. If there is one value with which none of these legs is taken, they are not taken for ever: an
endless run would read that value there, in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from romproof.contract.items import MemoryRange
from romproof.prover.case import Case
from romproof.prover.explore import Leg, Place
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

_USUAL = (0, 0xFF, *(1 << bit for bit in range(8)))
"""Values that ports often have when something has happened."""


@dataclass(frozen=True)
class Wait:
    """``legs`` that are not taken for ever if ``port`` changes."""

    legs: tuple[Leg, ...] = field(repr=False)
    port: MemoryRange


def changes(port: MemoryRange) -> str:
    """What is assumed of a port."""
    return f"{port.name} changes"


def meaning_of(port: MemoryRange) -> str:
    """The same as the report says it."""
    return f"{changes(port)}: an instruction that reads it again and again reads every value"


def waits_for(case: Case, places: frozenset[int], inside: Sequence[Leg]) -> Wait | None:
    """A wait that the legs between some cuts are, for a port that the contract assumes to change;
    None where there is none."""
    for port in case.contract.changing:
        for pc in _instructions(case, places, port):
            by_begin = _reads(case, places, pc, port)
            if by_begin is None:
                continue
            reading = _reading(case, inside, by_begin)
            if reading and _some_value_leaves(case, places, reading, by_begin):
                return Wait(tuple(reading), port)
    return None


def read_there(case: Case, places: frozenset[int]) -> list[int]:
    """The ports that are read on legs from some cuts, by address."""
    return sorted({e.what.number for e in _port_reads(case, places) if e.what.is_const})


def _port_reads(case: Case, places: frozenset[int]) -> Iterator[Event]:
    for event in case.exploration.events:
        if event.kind is EventKind.READS_PORT and event.begin in places:
            yield event


def _instructions(case: Case, places: frozenset[int], port: MemoryRange) -> list[int]:
    """The instructions that were executed and read a port on legs from some cuts."""
    return sorted(
        {
            event.pc
            for event in _port_reads(case, places)
            if event.what.is_const
            and event.what.number in port.addresses()
            and event.pc in case.exploration.executed
        }
    )


def _reads(
    case: Case, places: frozenset[int], pc: int, port: MemoryRange
) -> dict[Place, Event] | None:
    """What an instruction reads, by the cut where the legs begin; None where it is not always one
    and the same byte of the port, or is executed more than once on the way from a cut."""
    by_begin: dict[Place, Event] = {}
    addresses: set[Term] = set()
    for event in _port_reads(case, places):
        if event.pc != pc:
            continue
        addresses.add(event.what)
        if event.begin in by_begin or event.value is None or len(addresses) > 1:
            return None
        if not event.what.is_const or event.what.number not in port.addresses():
            return None
        by_begin[event.begin] = event
    return by_begin


def _reading(case: Case, inside: Sequence[Leg], by_begin: dict[Place, Event]) -> list[Leg] | None:
    """The legs on which it is read; None where that is on some paths of a leg only."""
    reading: list[Leg] = []
    for leg in inside:
        event = by_begin.get(leg.begin)
        if event is None:
            continue
        happens = t.all_of(event.path)
        if _always(case, leg, happens):
            reading.append(leg)
        elif not _always(case, leg, t.not_(happens)):
            return None
    return reading


def _some_value_leaves(
    case: Case, places: frozenset[int], reading: Sequence[Leg], by_begin: dict[Place, Event]
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
        all(_always(case, leg, _is_not(by_begin[leg.begin], value)) for leg in reading)
        for value in dict.fromkeys([*examples, *_USUAL])
    )


def _is_not(event: Event, value: int) -> Term:
    assert event.value is not None, "a read of a port has one"
    return t.not_(t.eq(event.value, t.const(value, 8)))


def _always(case: Case, leg: Leg, claim: Term) -> bool:
    try:
        return case.oracle.always(leg.at.path, claim) is None
    except Undecided:
        return False
