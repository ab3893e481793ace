"""The addresses that a loop moves: where they begin, how far they go, what they are meant for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from romproof.prover.catalogue import Reason
from romproof.prover.exploration.explore import Exploration
from romproof.prover.infer.addresses import (
    Form,
    Need,
    form_of,
    form_of_index,
    index_in,
    need_of_form,
)
from romproof.prover.infer.counts import Count
from romproof.prover.infer.growth import Growth
from romproof.prover.infer.moved import at_first, at_rest, find_longest_step, is_moved, step_of
from romproof.prover.infer.obstacles import NoContract, Obstacle, ObstacleKind
from romproof.prover.infer.passed import Passed
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.infer.subject import Subject
from romproof.symbolic.execute.events import Event
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True, slots=True)
class Pointer:
    """Accesses at ``head`` that go ``step`` further in each iteration, from ``form`` on
    (``place`` where that is a number). ``span`` is what they are meant for."""

    head: int
    form: Form | None
    place: int
    step: int
    span: MemorySpan

    def is_counted_in(self, count: Count) -> bool:
        """Whether it is what counts the iterations: it is no limit of its own, an index is."""
        if self.form is None:
            return False
        return bool(self.form.names & count.counter) and self.form.text != count.register


@dataclass(frozen=True)
class Pointing:
    """What is seen of addresses in loops that were cut."""

    growth: Growth
    exploration: Exploration
    oracle: Oracle

    @property
    def _subject(self) -> Subject:
        return self.growth.subject

    def all(
        self, lost: Sequence[Event], passed: Sequence[Passed] = ()
    ) -> tuple[list[Pointer], list[Need]]:
        """The pointers that go on by the same in each iteration, of accesses that nothing allows
        and of those that are handed to callees, and what is required of those of which only the
        low byte moves. Raises NoContract."""
        by_key: dict[tuple[int | None, str, int, MemorySpan | None], Pointer] = {}
        pages: list[Need] = []
        # what is written as well is meant for memory, whatever is read there first
        own = sorted(lost, key=lambda each: not self._subject.writes(each.pc))
        for event, given in [*((each, None) for each in own), *((p.event, p.span) for p in passed)]:
            begin = at_first(self.exploration, event.what)
            step = None if begin is None else step_of(self.exploration, self.oracle, event)
            if begin is not None and step is None and index_in(event.what) is None:
                step = find_longest_step(self.exploration, self.oracle, event)
            named = self._subject.find_name
            form = None if begin is None else form_of(begin, named) or form_of_index(begin, named)
            if given is not None and (begin is None or not step):
                continue  # what the callee requires is asked of the whole later
            if begin is None or not step or event.begin is None:
                pages += self._in_page(event, at_rest(self.exploration, event.what))
                continue
            if form is None and not begin.is_const:
                raise self._refuse(event)
            if form is not None and is_moved(begin):
                raise self._refuse(event)
            text = "" if form is None else form.text
            span = None
            if index_in(event.what) is not None:  # one index may be that of several variables
                span = self.growth.allow_in_loop(event, begin, text)
            key = event.begin, text or str(begin.number >> 8), step, span
            known = by_key.get(key)
            if known is not None:
                span = known.span
            elif span is None:
                span = self.growth.allow_in_loop(event, begin, text)
            if given is not None:
                span = given if known is None else _intersect(known.span, given)
            if span is None:
                raise self._refuse(event)
            place = begin.number if begin.is_const else 0
            if known is not None:
                place = max(place, known.place) if step > 0 else min(place, known.place)
                if form is not None and known.form is not None:
                    least = min(form.least, known.form.least)
                    form = replace(form, least=least, most=max(form.most, known.form.most))
            by_key[key] = Pointer(event.begin, form, place, step, span)
        return list(by_key.values()), pages

    def _in_page(self, event: Event, address: Term) -> list[Need]:
        """What keeps an access in the memory meant of which only the low byte moves, in whatever
        way. Raises NoContract."""
        form = form_of(address, self._subject.find_name)
        reach = MemorySpan(address.low, address.high + 1)
        in_page = form is None and reach.size <= 0x100
        if in_page and self.growth.allow(reach, self._subject.writes(event.pc)):
            return []
        if form is None or form.most - form.least > 0xFF:
            raise self._refuse(event)
        unknown = {
            v: t.const(0, v.width) for v in t.variables([address]) if v.width and is_moved(v)
        }
        pairs = self._subject.program.abi.pairs.items()
        text = next((p.upper() for p, (high, _) in pairs if form.text == high.upper()), form.text)
        span = self.growth.allow_in_loop(event, t.replace(address, unknown), text)
        need = None if span is None else need_of_form(form, span)
        if need is None or need.low > need.high:
            raise self._refuse(event)
        return [need]

    def _refuse(self, event: Event) -> NoContract:
        place = self._subject.describe(event.pc)
        reason = Reason.NO_SIMPLE_CHANGE(place=place)
        return NoContract(Obstacle(ObstacleKind.POINTER, reason, event.pc))


def _intersect(one: MemorySpan, other: MemorySpan) -> MemorySpan | None:
    """What is in both of two spans."""
    low, high = max(one.start, other.start), min(one.end, other.end)
    return MemorySpan(low, high) if low < high else None
