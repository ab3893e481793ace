"""What an exploration that lacks nothing says of a routine: a draft of its contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from romproof.prover.infer.addresses import Need
from romproof.prover.infer.draft import Draft, merged
from romproof.prover.infer.reasons import NoContract, Reason, Why
from romproof.prover.infer.regions import Span
from romproof.prover.infer.subject import Subject
from romproof.prover.names import address_of
from romproof.prover.routine import Explored
from romproof.prover.start import register_name
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import new_name
from romproof.symbolic.terms.term import Term

_READS = (EventKind.READS, EventKind.READS_OBJECT, EventKind.READS_ARRAY, EventKind.READS_PORT)


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
        returning = exploration.returning()
        if not returning or self.oracle.ask(returning[0].at.path).kind == "unsat":
            raise NoContract(Reason(Why.RETURNS, "no path leads back to its caller"))
        (leg,) = returning
        changed = frozenset(
            name
            for item in program.abi.contents
            if (name := register_name(program.abi, item)) and self._changes(name, item)
        )
        reads = self._reads()
        written = self._written()
        outputs = changed & self.subject.live
        own = {name for name in outputs if self._depends_on_place(leg.at.get(name))}
        outputs -= own
        writes = tuple(s for s in written if not self._span_depends_on_place(s))
        scratch = tuple(s for s in written if s not in writes)
        cycles = leg.at.total_cycles()
        required = frozenset(name for need in self.needs for name in need.names)
        draft = Draft(
            outputs=outputs,
            clobbers=changed - outputs,
            reads=merged([*reads, *self._named_memory(required)]),
            writes=writes,
            scratch=scratch,
            needs=self.needs,
            stack=max(0, -leg.at.lowest),
            is_handler=self.subject.is_handler,
        )
        results = [leg.at.get(name) for name in sorted(outputs)]
        results += list(self._written_terms(writes))
        inputs = self._inputs([*results, cycles])
        registers = frozenset(self.subject.registers)
        draft = replace(draft, inputs=(inputs | required) & registers)
        low, high = self._cycles(cycles, leg.at.path)
        return replace(draft, cycles=None if low is None else (low, high))

    def _cycles(self, term: Term, path: Sequence[Term]) -> tuple[int | None, int | None]:
        try:
            low = self.oracle.least(path, term).value(term)
            high = self.oracle.most(path, term).value(term)
        except Undecided:
            return None, None
        return low, high

    def _changes(self, name: str, item: object) -> bool:
        start, (leg,) = self.explored.exploration.start, self.explored.exploration.returning()
        after, before = leg.at.get(name), start.preserved(item)  # type: ignore[arg-type]
        same = t.eq(after, before)
        if same is t.TRUE:
            return False
        try:
            return self.oracle.always(leg.at.path, same) is not None
        except Undecided:
            return True

    def _depends_on_place(self, value: Term) -> bool:
        """Whether a value depends on where the stack lies, or on where the call comes from."""
        start = self.explored.exploration.start
        names = {start.frame.pointer.name, start.frame.pushed.name}
        return any(
            each.name in names or each.name.startswith("stack") for each in t.variables([value])
        )

    def _span_depends_on_place(self, span: Span) -> bool:
        return any(map(self._depends_on_place, self._written_terms([span])))

    def _written_terms(self, spans: Iterable[Span]) -> Iterator[Term]:
        """What is in written memory in the end: of arrays at any index."""
        (leg,) = self.explored.exploration.returning()
        memory = leg.at.memory
        arrays = memory.changed_arrays()
        for span in spans:
            for which, array in arrays.items():
                low, high = max(which.address, span.start), min(which.end, span.end)
                if low < high:
                    place = t.var(new_name("any "), 16, low, high - 1)
                    yield t.load(array, place)
            for address, value in memory.changed_bytes().items():
                if span.has(address):
                    yield value

    def _reads(self) -> list[Span]:
        """The memory that is read and was not written before."""
        exploration, program = self.explored.exploration, self.subject.program
        spans: list[Span] = []
        for event in exploration.events:
            if event.kind not in _READS or event.what.width != 16:
                continue
            path = event.path
            if event.kind is EventKind.READS_ARRAY and event.value is not None:
                path = (*path, t.not_(event.value))
            low, high = event.what.low, event.what.high
            span = Span(low, high + 1)
            if any(known.covers(span) for known in spans):
                continue
            if event.what.is_const and program.is_fixed[low]:
                continue
            if not self.oracle.possible(path, t.TRUE):
                continue
            if not event.what.is_const:
                span = self._extent(path, event.what)
            spans = list(merged([*spans, span]))
        return spans

    def _extent(self, path: Sequence[Term], address: Term) -> Span:
        low = self.oracle.least(path, address).value(address)
        return Span(low, self.oracle.most(path, address).value(address) + 1)

    def _written(self) -> tuple[Span, ...]:
        """The memory that changes, or is written through an index."""
        exploration = self.explored.exploration
        (leg,) = exploration.returning()
        memory, entry = leg.at.memory, exploration.entry.memory
        spans: list[Span] = []
        for address, value in memory.changed_bytes().items():
            same = t.eq(value, entry.byte(address))
            if same is not t.TRUE and self._may_fail(leg.at.path, same):
                spans.append(Span(address, address + 1))
        changed = {
            which
            for which, array in memory.changed_arrays().items()
            if array is not entry.array(which)
        }
        if not changed:
            return merged(spans)
        inside: list[Span] = []
        for event in exploration.events:
            if event.kind is EventKind.ADDRESS and event.what.width == 16:
                if not self.subject.writes(event.pc):
                    continue
                if exploration.start.frame.offset(event.what) is not None:
                    continue
                span = Span(event.what.low, event.what.high + 1)
                if any(known.covers(span) for known in inside):
                    continue
                try:
                    if self.oracle.possible(event.path, t.TRUE):
                        inside.append(self._extent(event.path, event.what))
                except Undecided:
                    inside.append(span)
        for which in changed:
            whole = Span(which.address, which.end)
            parts = [Span(max(s.start, whole.start), min(s.end, whole.end)) for s in inside]
            parts = [part for part in parts if part.size > 0]
            spans += parts
            # what is written without an index, or by a callee, is seen byte by byte
            array, before = memory.array(which), entry.array(which)
            rest = [a for a in range(which.address, which.end) if not any(p.has(a) for p in parts)]
            for address in rest:
                place = t.const(address, 16)
                same = t.eq(t.load(array, place), t.load(before, place))
                if same is not t.TRUE and self._may_fail(leg.at.path, same):
                    spans.append(Span(address, address + 1))
        return merged(spans)

    def _may_fail(self, path: Sequence[Term], claim: Term) -> bool:
        try:
            return self.oracle.always(path, claim) is not None
        except Undecided:
            return True

    def _named_memory(self, names: Iterable[str]) -> Iterator[Span]:
        for name in names:
            address = address_of(name)
            if address is not None:
                yield Span(address, address + 1)

    def _inputs(self, results: Sequence[Term]) -> frozenset[str]:
        """The registers and flags that a result depends on."""
        registers = {*self.subject.registers}
        names: set[str] = set()
        for variable in sorted(t.variables(results), key=lambda each: each.name):
            if variable.name in registers and self._matters(variable, results):
                names.add(variable.name)
        return frozenset(names)

    def _matters(self, variable: Term, results: Sequence[Term]) -> bool:
        (leg,) = self.explored.exploration.returning()
        twin = t.var(new_name(variable.name), variable.width, variable.low, variable.high)
        other = {variable: twin}
        path = [
            *leg.at.path,
            *(t.replace(c, other) for c in (*self.oracle.assumptions, *leg.at.path)),
        ]
        for result in results:
            if variable not in t.variables([result]):
                continue
            try:
                if self.oracle.always(path, t.eq(result, t.replace(result, other))) is not None:
                    return True
            except Undecided:
                return True
        return False
