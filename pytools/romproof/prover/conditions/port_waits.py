"""The rule for loops that wait for a port: they end if it changes, which contracts can assume.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from romproof.contract.nouns.items import MemoryRange
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


def describe_port(port: MemoryRange) -> str:
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
            reading = _find_reading_legs(case, inside, by_begin)
            if reading and (
                _some_value_leaves(case, places, reading, by_begin)
                or _some_stored_value_leaves(case, inside, reading, by_begin)
            ):
                return Wait(tuple(reading), port)
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
) -> dict[ProgramPoint, Event] | None:
    """What an instruction reads, by the cut where the legs begin; None where it is not always one
    and the same byte of the port, or is executed more than once on the way from a cut."""
    by_begin: dict[ProgramPoint, Event] = {}
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
    read = {event.value for event in by_begin.values()}
    names: set[VariableName] = set()
    for condition in conjuncts(part for leg in reading for part in leg.at.path):
        variables = t.variables([condition])
        if any(each in read for each in variables):
            names |= {each.name.location.name for each in variables if each.width == 8}
    return any(
        all(_is_kept(case, leg, name) for leg in inside)
        and all(_is_not(case, leg, by_begin, value_of(leg.first, name)) for leg in reading)
        for name in sorted(names & _places(case, names))
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


def _is_not(case: Case, leg: Leg, by_begin: dict[ProgramPoint, Event], value: Term) -> bool:
    """Whether what is read on a leg is never a value."""
    read = by_begin[leg.begin].value
    assert read is not None, "a read of a port has one"
    return case.oracle.holds(leg.at.path, t.not_(t.eq(read, value)))
