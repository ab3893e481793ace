"""What a routine writes in every call, and what it does whenever it leaves a flag set, or clear.

The argument stands in the head page: ``romproof.prover.calls``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from romproof.contract.nouns.items import MemoryRange
from romproof.isa.abi import Flag
from romproof.prover.conditions.memory import Extent, ExtentSide, Filled, find_written_at_return
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

Addresses = frozenset[int]


@dataclass(frozen=True)
class Flagged:
    """Addresses that are written whenever a flag has a value at the return."""

    register: str
    value: int
    addresses: Addresses


@dataclass(frozen=True)
class Surely:
    """Addresses that are written in every call, and those that are with a flag."""

    always: Addresses = frozenset()
    flagged: tuple[Flagged, ...] = ()


def find_must_write(case: Case, filled: Filled) -> Surely:
    """What a routine is known to write, of whose results its contract alone is known; what was
    ``filled`` at its cuts is taken from its proof, if somebody asked there."""
    always = find_written_at_return(case)
    open_ = _open(case, always)
    arrays = [
        which
        for which in sorted(case.exploration.indexed, key=lambda each: each.address)
        if open_.intersection(_cells(which)) and open_.union(always).issuperset(_cells(which))
    ]
    if not arrays:
        return Surely(always)
    search = _Search(case, filled if filled.was_needed else Filled(case, frozenset(arrays)))
    try:
        return search.find_must_write(always, arrays)
    except OutOfTime:  # what is proved stays so
        return Surely(always)


def _open(case: Case, known: Addresses) -> Addresses:
    """The outputs in memory that are no inputs, and not known to be written."""
    contract, ports = case.start.plain_contract, case.start.layout.volatile

    def all_of(items: tuple[object, ...]) -> Iterator[int]:
        for item in items:
            if isinstance(item, MemoryRange):
                yield from item.addresses()

    return frozenset(all_of(contract.outputs)) - {*all_of(contract.inputs)} - known - ports


def _cells(which: MemoryObject) -> Addresses:
    return frozenset(range(which.address, which.end))


@dataclass(frozen=True)
class _Search:
    case: Case
    filled: Filled

    def find_must_write(self, always: Addresses, arrays: Sequence[MemoryObject]) -> Surely:
        """What is written besides, of some arrays. Raises OutOfTime."""
        whole = [which for which in arrays if self.fills(which)]
        flags = [each for each in self.case.contract.outputs if isinstance(each, Flag)]
        found = [
            Flagged(name, value, _cells(which))
            for name in (register_name(self.case.abi, flag) for flag in flags)
            for value in (0, 1)
            if self._has_value(name, value)
            for which in arrays
            if which not in whole and self.fills(which, name, value)
        ]
        return Surely(always.union(*map(_cells, whole)), tuple(found))

    def _has_value(self, flag: str, value: int) -> bool:
        """Whether a flag is known to have a value at some return. Of one that it never has all
        would be so: callers would note it byte by byte, for nothing."""
        oracle, ends = self.case.oracle, self.case.exploration.returning_legs()
        with suppress(Undecided):
            return any(
                oracle.possible(leg.at.path, t.all_of(_has(leg, flag, value))) for leg in ends
            )
        return False

    def fills(self, which: MemoryObject, flag: str = "", value: int = 0) -> bool:
        """Whether all of an array is written at each return; with a flag, if it has a value."""
        every = Extent(which, ExtentSide.ALL)
        return all(
            self.filled.arrives(leg, every, self._before(leg), _has(leg, flag, value))
            for leg in self.case.exploration.returning_legs()
        )

    def _before(self, leg: Leg) -> tuple[Extent, ...]:
        return () if leg.begin is None else self.filled.extents[leg.begin]


def _has(leg: Leg, flag: str, value: int) -> list[Term]:
    return [t.eq(leg.at.get(flag), t.const(value, 1))] if flag else []
