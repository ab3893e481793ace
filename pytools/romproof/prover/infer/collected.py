"""What an exploration that lacks nothing says of a routine: a draft of its contract."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from romproof.prover.catalogue import Reason
from romproof.prover.conditions.memory import find_written_at_cuts
from romproof.prover.exploration.explore import Leg
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.draft import Draft, fill_gaps, merge_spans
from romproof.prover.infer.ends import cycles_of
from romproof.prover.infer.moved import differs_from
from romproof.prover.infer.obstacles import NoContract, Obstacle, ObstacleKind
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.infer.subject import Subject
from romproof.prover.routines.routine import Explored
from romproof.prover.states.entry import register_name
from romproof.prover.states.variables import is_of_stack, value_of
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import VAR, new_name
from romproof.symbolic.terms.origin import VariableName, any_name
from romproof.symbolic.terms.term import Term

_READS = (
    EventKind.READS,
    EventKind.READS_OBJECT,
    EventKind.READS_CUT,
    EventKind.READS_ARRAY,
    EventKind.READS_PORT,
)


_BYTE_BY_BYTE = 64
"""Bytes of an array of which each is asked whether it changes."""
_PORTS = 0x80
"""The same of ports: each is one by itself, and to write one is not to write its neighbour."""


@dataclass(frozen=True)
class Collected:
    """What an exploration that lacks nothing says of the routine."""

    subject: Subject
    explored: Explored
    needs: tuple[Need, ...]

    @property
    def oracle(self) -> Oracle:
        return self.explored.case.oracle

    def draft(self) -> Draft:
        """All of it. Raises NoContract."""
        exploration, program = self.explored.exploration, self.subject.program
        returning = exploration.returning_legs()
        if all(self.oracle.ask(leg.at.path).kind is AnswerKind.UNSAT for leg in returning):
            raise NoContract(Obstacle(ObstacleKind.RETURNS, Reason.NO_PATH_RETURNS()))
        changed = frozenset(
            name
            for item in program.abi.contents
            if (name := register_name(program.abi, item)) and self._changes(name, item)
        )
        regions = self.subject.regions
        reads = self._reads()
        written = fill_gaps(self._find_written(), regions)
        outputs = changed & self.subject.live
        outputs -= {
            name for name in outputs for leg in returning if self._is_arbitrary(leg.at.get(name))
        }
        writes = tuple(s for s in written if not self._is_span_arbitrary(s))
        scratch = tuple(s for s in written if s not in writes)
        required = frozenset(name for need in self.needs for name in need.names)
        draft = Draft(
            outputs=outputs,
            clobbers=changed - outputs,
            reads=fill_gaps([*reads, *self._name_memory(required)], regions),
            writes=writes,
            scratch=scratch,
            needs=self.needs,
            stack=max(0, *(-leg.at.lowest for leg in exploration.legs)),
            is_handler=self.subject.is_handler,
        )
        registers = frozenset(self.subject.registers)
        if exploration.cuts:
            carried = {each.name for each in self._carry(outputs)}
            draft = replace(draft, inputs=registers & (carried | required))
            return replace(draft, cycles=cycles_of(self.explored.case, self.needs))
        (leg,) = returning
        cycles = leg.at.total_cycles()
        results = [leg.at.get(name) for name in sorted(outputs)]
        results += list(self._find_written_terms(writes))
        inputs = self._inputs(self._with_calls([*results, cycles]))
        inputs -= (
            kept := self._keep_flags(
                outputs & inputs - required, [*self._find_written_terms(writes), cycles]
            )
        )
        draft = replace(draft, inputs=(inputs | required) & registers).with_clobbers(kept, False)
        low, high = self._cycles(cycles, leg.at.path)
        return replace(draft, cycles=None if low is None else (low, high))

    def _keep_flags(self, names: Iterable[str], results: Sequence[Term]) -> frozenset[str]:
        """The flags among ``names`` that are no results: on some path such a one is what it was,
        and nothing else depends on it. Where a caller is seen to read it, it is a result."""
        abi, (leg,) = self.subject.program.abi, self.explored.exploration.returning_legs()
        if not self.subject.live >= {*self.subject.registers}:
            return frozenset()
        registers = [leg.at.get(name) for name in self.subject.registers]
        kept: set[str] = set()
        for name in {register_name(abi, flag) for flag in abi.flags} & {*names}:
            before, after = self.explored.exploration.entry.get(name), leg.at.get(name)
            others = self._with_calls([*results, *(r for r in registers if r is not after)])
            if not self._has_influence(before, others):
                kept.add(name)
        return frozenset(kept)

    def find_used(self, changed: Iterable[str]) -> frozenset[str]:
        """The registers and flags at the entry of which anything is made."""
        changed, used = frozenset(changed), set[Term]()
        for leg in self.explored.exploration.legs:
            terms = [leg.at.get(name) for name in changed]
            terms = [each for each in terms if not (each.op is VAR and each.name.is_at_entry)]
            used |= t.variables(self._with_calls([*terms, *self._find_effects(leg)]))
        return frozenset(each.name for each in used | self._carry(changed & self.subject.live))

    def _find_effects(self, leg: Leg) -> Iterator[Term]:
        """What of a leg is no register: its conditions, its cycles, and the memory it changes."""
        yield from leg.at.path
        yield leg.at.total_cycles()
        yield from leg.at.memory.changed_arrays().values()
        yield from leg.at.memory.changed_bytes().values()

    def _carry(self, outputs: frozenset[str]) -> set[Term]:
        """What outputs and all that is felt depend on, by way of what loops that are cut go on
        with: a register that comes to a loop as it was at the entry, and counts there."""
        exploration = self.explored.exploration
        terms = [term for leg in exploration.legs for term in self._find_effects(leg)]
        ends = exploration.returning_legs()
        terms += [leg.at.get(name) for leg in ends for name in outputs]
        places = {
            variable: (place, name)
            for place, cut in exploration.cuts.items()
            for name, variable in cut.unknown.items()
            if variable.op is VAR and name.address is None
        }
        seen: set[Term] = set()
        waiting = set(t.variables(self._with_calls(terms)))
        while waiting:
            seen |= waiting
            further: list[Term] = []
            for variable in waiting & places.keys():
                place, name = places[variable]
                further += [value_of(leg.at, name) for leg in exploration.legs_to(place)]
            waiting = t.variables(self._with_calls(further)) - seen
        return seen

    def _with_calls(self, results: Sequence[Term]) -> list[Term]:
        """Terms with those that what callees give back in them depends on."""
        terms = list(results)
        depends = {
            variable: needs
            for call in self.explored.exploration.calls
            for variable, needs in call.results
        }
        waiting = list(t.variables(terms))
        seen: set[Term] = set()
        while waiting:
            variable = waiting.pop()
            if variable in depends and variable not in seen:
                seen.add(variable)
                terms += depends[variable]
                waiting += t.variables(depends[variable])
        return terms

    def _cycles(self, term: Term, path: Sequence[Term]) -> tuple[int | None, int | None]:
        try:
            low = self.oracle.least(path, term).value(term)
            high = self.oracle.most(path, term).value(term)
        except Undecided:
            return None, None
        return low, high

    def _changes(self, name: str, item: object) -> bool:
        start = self.explored.exploration.start
        return any(
            self._may_fail(leg.at.path, t.eq(leg.at.get(name), start.find_preserved(item)))  # type: ignore[arg-type]
            for leg in self.explored.exploration.returning_legs()
        )

    def _is_arbitrary(self, value: Term) -> bool:
        """Whether a value depends on where the stack lies, on where the call comes from, or on what
        a callee says nothing of."""
        start = self.explored.exploration.start
        names = {start.frame.pointer.name, start.frame.pushed.name}
        unsaid = {v for call in self.explored.exploration.calls for v in call.anything}
        return any(
            each.name in names or is_of_stack(each.name) or each in unsaid
            for each in t.variables([value])
        )

    def _is_span_arbitrary(self, span: MemorySpan) -> bool:
        return any(map(self._is_arbitrary, self._find_written_terms([span])))

    def _find_written_terms(self, spans: Iterable[MemorySpan]) -> Iterator[Term]:
        """What is in written memory in the end: of arrays at any index."""
        spans = list(spans)
        for leg in self.explored.exploration.returning_legs():
            memory = leg.at.memory
            arrays = memory.changed_arrays()
            for span in spans:
                for which, array in arrays.items():
                    low, high = max(which.address, span.start), min(which.end, span.end)
                    if low < high:
                        place = t.var(new_name(any_name()), 16, low, high - 1)
                        yield t.load(array, place)
                for address, value in memory.changed_bytes().items():
                    if span.has(address):
                        yield value

    def _reads(self) -> list[MemorySpan]:
        """The memory that is read and was not written before."""
        exploration, program = self.explored.exploration, self.subject.program
        written = find_written_at_cuts(self.explored.case)
        spans: list[MemorySpan] = []
        for event in exploration.events:
            if event.kind not in _READS or event.what.width != 16:
                continue
            if self._was_written(event, written):
                continue
            path = event.path
            if event.kind is EventKind.READS_ARRAY and event.value is not None:
                path = (*path, t.not_(event.value))
            low, high = event.what.low, event.what.high
            span = MemorySpan(low, high + 1)
            if any(known.covers(span) for known in spans):
                continue
            is_port = event.kind is EventKind.READS_PORT
            if event.what.is_const and program.is_fixed[low] and not is_port:
                continue
            if not self.oracle.possible(path, t.TRUE):
                continue
            if not event.what.is_const:
                span = self._extent(path, event.what)
            spans = list(merge_spans([*spans, span]))
        return spans

    def _was_written(self, event: Event, written: Mapping[int, Collection[int]]) -> bool:
        """Whether what is read after a cut was written on every way there."""
        if event.kind is not EventKind.READS_CUT or event.begin is None:
            return False
        return event.what.is_const and event.what.number in written[event.begin]

    def arrays(self) -> tuple[MemorySpan, ...]:
        """The memory that is written through an index, whole."""
        legs = self.explored.exploration.legs
        changed = {which for leg in legs for which in leg.at.memory.changed_arrays()}
        return merge_spans(MemorySpan(which.address, which.end) for which in changed)

    def _extent(self, path: Sequence[Term], address: Term) -> MemorySpan:
        low = self.oracle.least(path, address).value(address)
        return MemorySpan(low, self.oracle.most(path, address).value(address) + 1)

    def _find_written(self) -> tuple[MemorySpan, ...]:
        """The memory that changes, or is written through an index."""
        exploration = self.explored.exploration
        entry = exploration.entry.memory
        places: set[int] = set()
        changed: set[MemoryObject] = set()
        for leg in exploration.legs:
            # between cuts nobody asks whether it is always the same: that takes too long there
            ends, first = leg.end in exploration.start.ends, leg.first.memory
            memory = leg.at.memory
            spoken_of = t.variables([*self.oracle.assumptions, *leg.at.path])
            for address, value in memory.changed_bytes().items():
                if address in places or value is first.byte(address):
                    continue
                before = entry.byte(address)
                same = t.eq(value, before)
                if before not in spoken_of:
                    same = t.not_(differs_from(value, before) or t.not_(same))
                if not ends or self._may_fail(leg.at.path, same):
                    places.add(address)
            changed |= {
                which
                for which, array in memory.changed_arrays().items()
                if array is not first.array(which)
            }
        spans = list(merge_spans(MemorySpan(address, address + 1) for address in places))
        if not changed:
            return tuple(spans)
        inside: list[MemorySpan] = []
        for event in exploration.events:
            if event.kind is EventKind.ADDRESS and event.what.width == 16:
                if not self.subject.writes(event.pc):
                    continue
                if exploration.start.frame.offset(event.what) is not None:
                    continue
                span = MemorySpan(event.what.low, event.what.high + 1)
                if any(known.covers(span) for known in inside):
                    continue
                try:
                    if self.oracle.possible(event.path, t.TRUE):
                        inside.append(self._extent(event.path, event.what))
                except Undecided:
                    inside.append(span)
        for which in changed:
            whole = MemorySpan(which.address, which.end)
            parts = [MemorySpan(max(s.start, whole.start), min(s.end, whole.end)) for s in inside]
            parts = [part for part in parts if part.size > 0]
            spans += parts
            # what is written without an index, or by a callee
            for rest in whole.subtract(parts):
                for leg in exploration.returning_legs():
                    spans += self._change_within(leg, entry.array(which), which, rest)
        return merge_spans(spans)

    def _change_within(
        self, leg: Leg, before: Term, which: MemoryObject, rest: MemorySpan
    ) -> Iterator[MemorySpan]:
        """Where an array is not what it was, in a part of it: byte by byte, or of a large part from
        the first byte to the last."""
        array, path = leg.at.memory.array(which), leg.at.path
        if array is before:
            return
        few_ports = rest.size <= _PORTS and self.subject.regions.has_ports(rest)
        if rest.size <= _BYTE_BY_BYTE or few_ports:
            for address in range(rest.start, rest.end):
                place = t.const(address, 16)
                if self._may_fail(path, t.eq(t.load(array, place), t.load(before, place))):
                    yield MemorySpan(address, address + 1)
            return
        place = t.var(new_name(any_name()), 16, rest.start, rest.end - 1)
        other = t.not_(t.eq(t.load(array, place), t.load(before, place)))
        try:
            if self.oracle.possible(path, other):
                yield self._extent([*path, other], place)
        except Undecided:
            yield rest

    def _may_fail(self, path: Sequence[Term], claim: Term) -> bool:
        return claim is not t.TRUE and not self.oracle.holds(path, claim)

    def _name_memory(self, names: Iterable[VariableName]) -> Iterator[MemorySpan]:
        for name in names:
            address = name.address
            if address is not None:
                yield MemorySpan(address, address + 1)

    def _inputs(self, results: Sequence[Term]) -> frozenset[str]:
        """The registers and flags that a result depends on."""
        registers = {*self.subject.registers}
        names: set[VariableName] = set()
        for variable in sorted(t.variables(results), key=lambda each: each.name):
            if variable.name in registers and self._has_influence(variable, results):
                names.add(variable.name)
        return frozenset(names)

    def _has_influence(self, variable: Term, results: Sequence[Term]) -> bool:
        (leg,) = self.explored.exploration.returning_legs()
        twin = t.var(new_name(variable.name), variable.width, variable.low, variable.high)
        other = {variable: twin}
        path = [
            *leg.at.path,
            *(t.replace(c, other) for c in (*self.oracle.assumptions, *leg.at.path)),
        ]
        for result in results:
            if variable not in t.variables([result]):
                continue
            if not result.width:  # of an array, such as what a callee finds, any byte
                result = t.load(result, t.var(new_name(any_name()), 16))
            try:
                if self.oracle.always(path, t.eq(result, t.replace(result, other))) is not None:
                    return True
            except Undecided:
                return True
        return False
