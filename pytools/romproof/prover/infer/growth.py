"""What a routine may touch, found access by access, and what its inputs have to be for that.

An access that nothing allows yet becomes an object. An index gets bounds with which it stays in the
variable, or the table, at its base; a pointer stays in one area of memory: that which callers are
seen to pass, else for reads the ROM, and for writes the largest area of variables.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from romproof.contract.nouns.items import MemoryRange
from romproof.prover.calls.summaries import ProvedRoutine
from romproof.prover.catalogue import Reason
from romproof.prover.conditions.caller_memory import LARGE
from romproof.prover.infer.addresses import (
    Form,
    Need,
    form_of,
    need_of,
    need_of_condition,
    need_of_form,
)
from romproof.prover.infer.draft import merge_spans
from romproof.prover.infer.intended import INDEXED, IntendedMemory, base_of, is_looked_up
from romproof.prover.infer.obstacles import NoContract, Obstacle, ObstacleKind
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.infer.subject import Subject
from romproof.prover.infer.walks import Walks
from romproof.prover.routines.routine import Explored
from romproof.symbolic.execute.access import within
from romproof.symbolic.execute.events import Event, EventKind, LongLoop
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message, MessageKind

_MAX_VARIABLES = 4
"""Variables that an access may choose among as objects of their own."""
_Key = tuple[str, MemorySpan | None]
_FAR = 0x400
"""Bytes that an access may be spread over which nothing limits."""
LOST = (EventKind.READS, EventKind.WRITES, EventKind.WRITES_FIXED, EventKind.TOO_MANY_PLACES)
"""Accesses that a contract does not allow."""


class Grown(Exception):
    """There is a further object or requirement: begin again."""


class Growth:
    """What the routine may touch, and requires for that: more with each access that is lost.

    ``objects`` is the memory that it may touch; ``tables`` the read-only data that it reads with an
    index, ``areas`` what pointers go through without regard to the variables that lie there.
    ``said`` are requirements of callees, by their terms, in words of the inputs, ``asked`` those on
    bytes of memory, as they are when they are called. ``walking`` is
    whether a loop that nothing else ends may be required to end at the last byte of a variable.
    """

    def __init__(self, subject: Subject, walking: bool = False) -> None:
        self.subject = subject
        self._walks, self._walking = Walks(subject), walking
        self._memory = IntendedMemory(subject)
        self.said: dict[Term, Need] = {}
        self.asked: dict[Term, Need] = {}
        self.objects: tuple[MemorySpan, ...] = ()
        self._needs: dict[str, Need] = {}
        # by the inputs in an address, and for an index its base: what it is meant for
        self._targets: dict[_Key, MemorySpan] = {}
        self._margins: dict[_Key, int] = {}
        self._settled = False
        self.tables: tuple[MemorySpan, ...] = ()
        self.areas: tuple[MemorySpan, ...] = ()

    @property
    def needs(self) -> tuple[Need, ...]:
        """The requirements so far."""
        return tuple(need for need in self._needs.values() if not need.says_nothing)

    def on_event(self, event: Event, oracle: Oracle) -> None:
        """An access that the contract so far does not allow. Raises Grown and NoContract."""
        if event.kind is EventKind.ADDRESS and event.what.width == 16:
            self.look_at_table(event, oracle)
            self._stay_in_rom(event, oracle)
        walked = self._walks.need_of(event, oracle, self._limits) if self._walking else None
        if walked is not None and walked.text not in self._needs:
            self._needs[walked.text] = walked
            raise Grown
        if event.kind not in LOST or event.what.width != 16:
            return
        if event.what.is_const:
            if event.kind is EventKind.WRITES_FIXED and oracle.possible(event.path, t.TRUE):
                describe = self.subject.describe
                written = Reason.WRITES_TO(
                    place=describe(event.what.number), instruction=describe(event.pc)
                )
                raise NoContract(Obstacle(ObstacleKind.BANK, written, event.pc))
            return
        if not oracle.possible(event.path, t.TRUE):
            return
        names = {variable.name for variable in t.variables([event.what])}
        if self.subject.program.cpu.stack in names:
            place, what = self.subject.describe(event.pc), event.kind.value
            reason = Reason.ON_CALLERS_STACK(place=place, event=what)
            raise NoContract(Obstacle(ObstacleKind.STACK, reason, event.pc))
        self._add(event, oracle)
        raise Grown

    def take_over(self, lemma: ProvedRoutine) -> None:
        """Allow the arrays that a callee is known to change: then that stands for its code; or of
        one of which only the contract is known the large areas that it lists. Raises Grown where
        they are more than before."""
        before = self.objects
        for which in () if lemma.results is None else lemma.results.arrays:
            self._add_object(MemorySpan(which.address, which.end))
        for item in (*lemma.contract.inputs, *lemma.contract.written()):
            if lemma.results is None and isinstance(item, MemoryRange) and item.size >= LARGE:
                self._add_object(MemorySpan(item.address, item.address + item.size))
        if before != self.objects:
            raise Grown

    def ends(self, stop: LongLoop) -> bool:
        """Whether a requirement has come that ends a loop."""
        need = self._walks.need_of_loop(stop.path) if self._walking else None
        if need is None or need.text in self._needs:
            return False
        self._needs[need.text] = need
        return True

    def look_at_table(self, event: Event, oracle: Oracle) -> None:
        """An index into read-only data stays within it, if that is a simple condition on inputs."""
        address, program = event.what, self.subject.program
        base = base_of(address)
        if not program.is_fixed[base] or base < INDEXED or self.subject.writes(event.pc):
            return
        table = self.subject.regions.table_at(base, self.subject.jumps)
        if table is None or is_looked_up(address):
            return
        if table not in self.tables:
            self.tables = (*self.tables, table)
        if table.covers(MemorySpan(address.low, address.high + 1)):
            return
        need = need_of(address, table, self.subject.find_name)
        if need is None or need.low > need.high:
            return
        known = self._needs.get(need.text)
        both = need if known is None else known.intersect(need)
        if both == known or both.low > both.high:
            return
        if oracle.possible(event.path, t.not_(within(address, table.start, table.end))):
            self._needs[need.text] = both
            raise Grown

    def _stay_in_rom(self, event: Event, oracle: Oracle) -> None:
        """A pointer that reads ROM does not go on into memory behind it that is an object, too."""
        address, fixed = event.what, self.subject.program.is_fixed
        reach = MemorySpan(address.low, address.high + 1)
        spans = [s for s in self._targets.values() if fixed[s.start] and not s.covers(reach)]
        if not spans or address.is_const or self.subject.writes(event.pc):
            return
        key = self._key(address, form_of(address, self.subject.find_name))
        span = self._targets.get(key)
        if span not in spans:
            return
        if oracle.possible(event.path, t.not_(within(address, span.start, span.end))):
            self._margins[key] = 4 * self._margins.get(key, 0) + 15
            with suppress(NoContract):  # it may read what is there, then
                self._require(event, span, self._margins[key])
                raise Grown

    def settle(self, explored: Explored) -> bool:
        """Whether nothing is missing, and no requirement stricter than it has to be; it is mended
        once."""
        if self._for_callees(explored):
            return False
        if self._settled or not self._margins:
            return True
        self._settled = True
        least: dict[_Key, Form] = {}
        for event in explored.exploration.events:
            if event.kind is not EventKind.ADDRESS or event.what.width != 16:
                continue
            form = form_of(event.what, self.subject.find_name)
            key = self._key(event.what, form)
            if form is not None and key in self._targets:
                known = least.get(key, form)
                lowest, highest = min(known.least, form.least), max(known.most, form.most)
                least[key] = replace(form, least=lowest, most=highest)
        stricter = {text for text, _ in self._margins}
        mended: dict[str, Need] = {}
        for key, form in least.items():
            # what is required of an index so far is what may be too strict; of a pointer it is what
            # keeps it in its area, with which all was explored
            need = need_of_form(form.anew if form.top <= 0xFF else form, self._targets[key])
            if need is not None and key[0] in stricter:
                known_need = mended.get(need.text)
                mended[need.text] = need if known_need is None else known_need.intersect(need)
        self._needs |= {text: need for text, need in mended.items() if need.low <= need.high}
        return False

    def _key(self, address: Term, form: Form | None) -> _Key:
        """What stands for all addresses that are meant for one object: those through a pointer have
        its inputs, those with an index the variable at their base as well."""
        text = "" if form is None else form.text
        if form is not None and form.high - form.low >= INDEXED:
            return text, None
        return text, self._memory.at_base(address, self._find_targets(text))

    def _find_targets(self, text: str) -> Collection[MemorySpan]:
        """The variables that an index is known to be into."""
        return {span for (other, span) in self._targets if other == text and span is not None}

    def _for_callees(self, explored: Explored) -> bool:
        """Whether callees required something that is required from now on."""
        before = self.needs
        for event in explored.exploration.events:
            if event.kind is not EventKind.BREAKS:
                continue
            if explored.case.oracle.holds(event.path, event.what):
                continue
            need = self.said.get(event.what)
            need = need or need_of_condition(
                event.what, self.subject.find_name, self._limits, event.path
            )
            known = None if need is None else self._needs.get(need.text)
            both = need if known is None or need is None else known.intersect(need)
            if both is not None and both == known and known not in before:
                continue  # another call needed that just now
            asked = self.asked.get(event.what)
            if asked is not None and (need is None or both == known):
                both = asked if asked.text not in self._needs else self._walks.move_back(asked)
                known = None
            if both is None or both.low > both.high or both == known:
                broken = event.about if isinstance(event.about, Message) else None
                raise NoContract(Obstacle(ObstacleKind.POINTER, broken, event.pc))
            self._needs[both.text] = both
        return before != self.needs

    def _limits(self, text: str) -> tuple[int, int] | None:
        """Between which values an expression is required to be so far."""
        need = self._needs.get(text)
        if need is not None:
            return need.low, need.high
        for pair, (_, low) in self.subject.program.abi.pairs.items():
            whole = self._needs.get(pair.upper())
            if low.upper() == text and whole is not None and whole.low >> 8 == whole.high >> 8:
                return whole.low & 0xFF, whole.high & 0xFF
        return None

    def _add(self, event: Event, oracle: Oracle) -> None:
        address, writes, path = event.what, self.subject.writes(event.pc), _path_to(event)
        form = form_of(address, self.subject.find_name)
        text = "" if form is None else form.text
        key = self._key(address, form)
        known = self._targets.get(key)
        if known is not None and writes and self.subject.program.is_fixed[known.start]:
            known = None  # what was read only until now is written as well
            self._needs.pop(text, None)
        if known is not None:
            self._margins[key] = 4 * self._margins.get(key, 0) + 15
            self._require_or_allow(event, oracle, known, self._margins[key])
            return
        exact = MemorySpan(address.low, address.high + 1)
        if form is None or form.high - form.low < INDEXED:
            low = oracle.least(path, address).value(address)
            exact = MemorySpan(low, oracle.most(path, address).value(address) + 1)
        span, limits = self._memory.of_access(
            address, exact, writes, text, self._find_targets(text)
        )
        if span is None:
            if self.allow_reach(event, oracle):
                return
            raise self._refuse(event, Reason.USES, low=exact.start, high=exact.end - 1)
        if not self._add_object(span) and not limits:
            raise self._refuse(event, Reason.USES_ANYWHERE)
        if limits:
            if text:
                self._targets[key] = span
            self._require_or_allow(event, oracle, span, 0)

    def _require_or_allow(
        self, event: Event, oracle: Oracle, span: MemorySpan, margin: int
    ) -> None:
        """An access is required to stay in a span, or where no simple condition says that, and it
        can only be in a few hundred bytes, may be anywhere there."""
        try:
            self._require(event, span, margin)
        except NoContract:
            if not self.allow_reach(event, oracle):
                raise

    def allow_reach(self, event: Event, oracle: Oracle) -> bool:
        """Allow all that an access can reach, if that is not much and plain memory; whether that is
        more than before."""
        address, writes, path = event.what, self.subject.writes(event.pc), _path_to(event)
        try:
            low = oracle.least(path, address).value(address)
            reach = MemorySpan(low, oracle.most(path, address).value(address) + 1)
        except Undecided:
            reach = MemorySpan(address.low, address.high + 1)
        if reach.size > _FAR:
            return False
        before = self.objects
        return self.allow(reach, writes) and before != self.objects

    def allow(self, reach: MemorySpan, writes: bool) -> bool:
        """Allow a span, if it is plain memory; whether it is allowed."""
        parts = self._memory.variable_parts(reach)
        if not self._memory.is_plain(reach, writes):
            return False
        if not all(self.subject.regions.is_memory(part) for part in parts):
            return False
        self._add_object(reach)
        return True

    def _add_object(self, span: MemorySpan, most: int = _MAX_VARIABLES) -> bool:
        """Allow what is in a span and no ROM; whether that is more than before."""
        parts = self._memory.variable_parts(span)
        before = self.objects
        self.objects = merge_spans([*self.objects, *parts])
        for part in parts:
            if sum(1 for _ in self.subject.regions.parts(part)) > most:
                self.areas = merge_spans([*self.areas, part])
        return before != self.objects or not parts

    def allow_in_loop(self, event: Event, begin: Term, text: str) -> MemorySpan | None:
        """What an access in a loop is meant for that begins at ``begin``, of which the inputs are
        ``text``; it is allowed from now on."""
        writes, regions = self.subject.writes(event.pc), self.subject.regions
        span: MemorySpan | None
        if begin.is_const:
            place = begin.number
            span = regions.symbol_at(place) or regions.find_area(place)
            if span is None and self.subject.program.is_fixed[place] and not writes:
                span = regions.table_at(place) or self._memory.find_fixed_run(place)
        else:
            span, limits = self._memory.of_access(
                begin, MemorySpan(begin.low, begin.high + 1), writes, text
            )
            if span is not None and not limits:
                span = regions.symbol_at(span.start) or regions.find_area(span.start)
        if span is not None:
            self._add_object(span, 1)
        return span

    def _refuse(self, event: Event, kind: MessageKind, **data: int) -> NoContract:
        reason = kind(place=self.subject.describe(event.pc), **data)
        return NoContract(Obstacle(ObstacleKind.POINTER, reason, event.pc))

    def _require(self, event: Event, span: MemorySpan, margin: int) -> None:
        need = need_of(event.what, span, self.subject.find_name, margin)
        known = None if need is None else self._needs.get(need.text)
        if need is None or need.low > need.high or need == known:
            low, high = event.what.low, event.what.high
            raise self._refuse(event, Reason.USES_WITHOUT_CONDITION, low=low, high=high)
        both = need if known is None else known.intersect(need)
        if both.low > both.high or both == known:
            reason = Reason.TWO_AREAS(expression=both.text)
            raise NoContract(Obstacle(ObstacleKind.POINTER, reason, event.pc))
        self._needs[need.text] = both


def _path_to(event: Event) -> Sequence[Term]:
    """The conditions under which an access happens, wherever it is."""
    return event.path if event.kind is EventKind.TOO_MANY_PLACES else event.path[:-1]
