"""What memory an access is meant for: the variable at the base of an index, or the area that a
pointer goes through."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from romproof.prover.infer.regions import MemorySpan, Regions
from romproof.prover.infer.subject import Subject
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import LOOKUP
from romproof.symbolic.terms.term import Term

INDEXED = 0x200
"""Bytes that are reached with an index, and not with a pointer."""


@dataclass(frozen=True, slots=True)
class IntendedMemory:
    """The memory of a program as a routine's accesses may mean it."""

    subject: Subject

    @property
    def regions(self) -> Regions:
        """Where variables lie."""
        return self.subject.regions

    def of_access(
        self,
        address: Term,
        exact: MemorySpan,
        writes: bool,
        text: str,
        known: Collection[MemorySpan] = (),
    ) -> tuple[MemorySpan | None, bool]:
        """What an access is meant for, and whether that limits it. For ``known`` see at_base."""
        regions = self.regions
        own = regions.symbol_at(exact.start)
        if own is not None and own.covers(exact):
            return exact, False
        base = base_of(address)
        if exact.size <= INDEXED or INDEXED <= base < 0x10000 - INDEXED:
            own = self.at_base(address, known)
            if own is not None:
                return own, True
        area = regions.find_area(exact.start)
        if area is not None and area.covers(exact):
            return exact, False
        hinted = self.find_hint(text, base, writes)
        if hinted is not None:
            return hinted, True
        if not writes:
            runs = [run for run in self.subject.find_fixed_runs() if not base or run.has(base)]
            if runs:
                return max(runs, key=lambda run: run.size), True
        areas = [a for a in regions.variables if a.start < exact.end and exact.start < a.end]
        # a pointer that may be anywhere is not meant for ports; `ldh [c], a` is
        far = exact.size > INDEXED
        return max(
            areas, key=lambda a: (not (far and regions.has_ports(a)), a.size), default=None
        ), True

    def at_base(self, address: Term, known: Collection[MemorySpan] = ()) -> MemorySpan | None:
        """The variable that an index is into: at its base, or just behind that, as indices from 1
        on have it; at the lowest address where 0 is no index at all. ``known`` are variables that
        it is into elsewhere: the last byte of one of these is as good as its others."""
        base, at = base_of(address), self.regions.symbol_at
        first = self._at_first(address)
        if first is not None and first != at(base):
            return first
        found = [own for own in (at(base), at(base + 1), at(address.low)) if own is not None]
        is_last = len(found) > 1 and found[0].end == base + 1 and found[0] not in known
        if is_last and found[1].size > 1:
            return found[1]  # the last byte of another variable is none that an index is for
        return found[0] if found else None

    def _at_first(self, address: Term) -> MemorySpan | None:
        """The variable that an index is into which lies in memory, by the numbers that the program
        puts there: where the lowest of them leads. None where no number is seen to be put there."""
        unknown = [each for each in t.variables([address]) if each.width]
        own = unknown[0].name.address if len(unknown) == 1 else None
        numbers = () if own is None else self.subject.stored.get(own, ())
        if not numbers or not unknown[0].name.is_at_entry:
            return None
        place = t.replace(address, {unknown[0]: t.const(min(numbers), unknown[0].width)})
        return self.regions.symbol_at(place.number) if place.is_const else None

    def find_hint(self, text: str, base: int, writes: bool) -> MemorySpan | None:
        """The memory that callers are seen to pass in a pair: from the first area of all to the
        last one. None where they are not seen to, or where that holds what cannot be written."""
        areas: list[MemorySpan] = []
        for hint in self.subject.hints.get(text, ()):
            place = base + hint & 0xFFFF
            area = self.regions.find_area(place)
            if area is not None:
                areas.append(area)
            elif self.subject.program.is_fixed[place] and not writes:
                areas.append(self.find_fixed_run(place))
        # the largest first: with what no pointer goes through, such as ports, the rest is left out
        areas.sort(key=lambda area: -area.size)
        whole: MemorySpan | None = None
        for area in areas:
            both = area if whole is None else whole.join(area)
            if whole is None or self.is_plain(both, writes):
                whole = both
        return whole

    def is_plain(self, span: MemorySpan, writes: bool) -> bool:
        """Whether a pointer may go all through a span: no ports, no stack, and no ROM that it
        writes."""
        program = self.subject.program
        if self.regions.has_ports(span):
            return False
        if writes and any(program.is_fixed[span.start : span.end]):
            return False
        return self.regions.is_without_stack(span)

    def variable_parts(self, span: MemorySpan) -> list[MemorySpan]:
        """The parts of a span that are no ROM."""
        parts = [span]
        for fixed in self.subject.find_fixed_runs():
            parts = [
                part
                for each in parts
                for part in (
                    MemorySpan(each.start, min(each.end, fixed.start)),
                    MemorySpan(max(each.start, fixed.end), each.end),
                )
                if part.size > 0
            ]
        return parts

    def find_fixed_run(self, address: int) -> MemorySpan:
        return next(run for run in self.subject.find_fixed_runs() if run.has(address))


def is_looked_up(address: Term) -> bool:
    """Whether an address is made of what stands in ROM: a pointer from a table, that is, and no
    index into what the first pointer there leads to."""
    return any(each.op is LOOKUP for each in t.in_order([address]))


def base_of(address: Term) -> int:
    """An address with 0 for all that is not known: where what is indexed begins."""
    zero = {
        variable: t.const(0, variable.width)
        for variable in t.variables([address])
        if variable.width
    }
    place = t.replace(address, zero)
    return place.number if place.is_const else 0
