"""A routine explored without a contract: what it reads, changes and costs, and what that needs.

Symbolic execution begins with no memory that the routine may touch; what it touches all the same is
reported, becomes an object, and it is tried again. An index without bounds gets some: those with
which it stays in the variable at its base, or a pointer in one area of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from romproof.contract.model import Contract
from romproof.prover.infer.addresses import Form, Need, form_of, need_of, need_of_form
from romproof.prover.infer.draft import Draft, block, merged
from romproof.prover.infer.flows import Flows
from romproof.prover.infer.reasons import NoContract, Reason, Why, of_unfinished
from romproof.prover.infer.regions import Regions, Span
from romproof.prover.names import address_of
from romproof.prover.piece import piece_of
from romproof.prover.program import Program
from romproof.prover.routine import Explored, ProofOptions, Vacuous, explore_routine
from romproof.prover.start import register_name
from romproof.symbolic.execute.events import Event, EventKind, Unfinished
from romproof.symbolic.execute.executor import Lemma
from romproof.symbolic.solve.deadline import OutOfTime
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import Terms, new_name, using
from romproof.symbolic.terms.term import Term
from romproof.timing.effects import effect_of

MOST_ROUNDS = 40
"""Explorations of one routine, each with more objects than the one before."""
MOST_STEPS = 30_000
"""Instructions that are executed symbolically in one of them, at an effort of 1."""
MOST_TERMS = 3_000_000
"""Terms that there may be in one of them, at an effort of 1."""
MOST_ITERATIONS = 16
"""How often a branch may be undecided: with more, states that meet become too large."""
_INDEXED = 0x200
"""Bytes that are reached with an index, and not with a pointer."""
SUMMARY = "(inferred)"
"""What stands for what a routine does, which no tool knows."""
_READS = (EventKind.READS, EventKind.READS_OBJECT, EventKind.READS_ARRAY, EventKind.READS_PORT)
_LOST = (EventKind.READS, EventKind.WRITES, EventKind.WRITES_FIXED, EventKind.TOO_MANY_PLACES)


@dataclass(frozen=True)
class Subject:
    """A routine without a contract, and what is known of its program. ``live`` are the registers
    and flags that callers read, ``hints`` the constants that they pass in pairs."""

    program: Program = field(repr=False)
    regions: Regions = field(repr=False)
    flows: Flows = field(repr=False)
    name: str
    address: int
    is_handler: bool
    live: frozenset[str]
    hints: Mapping[str, tuple[int, ...]]

    def contract(self, draft: Draft) -> Contract:
        """The draft as a contract. Raises BuildFailed."""
        text = block(self.name, SUMMARY, draft, self.regions)
        return piece_of(self.program.image, text, self.address).contract

    def named(self, variable: str) -> str | None:
        """What contracts call a variable of the entry."""
        if variable.endswith(":2"):
            return None
        address = address_of(variable)
        if address is None:
            known = {register_name(self.program.abi, i) for i in self.program.abi.contents}
            return variable.upper() if variable in known else None
        own = self.regions.symbol_at(address)
        start = address if own is None else own.start
        name = self.regions.name(start)
        return f"{name}[{address - start}]" if name else f"${address:04X}[0]"


def examine(
    subject: Subject, options: ProofOptions, lemmas: Mapping[int, Lemma]
) -> Draft:
    """What the routine reads, changes and costs. Raises NoContract."""
    try:
        return _examined(subject, options, lemmas)
    except Unfinished as stop:
        reason = of_unfinished(
            subject.program, subject.flows, subject.address, stop.reason, stop.pc
        )
        raise NoContract(reason) from None
    except (Undecided, OutOfTime) as stop:
        raise NoContract(Reason(Why.EFFORT, stop.reason)) from None
    except Vacuous as stop:
        raise NoContract(Reason(Why.POINTER, stop.finding.detail)) from None
    except RecursionError:
        raise NoContract(Reason(Why.EFFORT, "its values nest too deeply")) from None


def _examined(subject: Subject, options: ProofOptions, lemmas: Mapping[int, Lemma]) -> Draft:
    growth = _Growth(subject)
    limited = replace(
        options,
        on_progress=_limit(options),
        on_event=growth.hear,
        most_iterations=MOST_ITERATIONS,
        most_terms=round(MOST_TERMS * options.effort),
    )
    registers = frozenset(_register_names(subject.program))
    for _ in range(MOST_ROUNDS):
        # the 6502's D is taken to be clear
        draft = Draft(
            inputs=registers - ({"d"} if subject.program.abi.not_inverted else set()),
            clobbers=registers,
            scratch=growth.objects,
            needs=growth.needs,
            is_handler=subject.is_handler,
        )
        with using(Terms()):
            try:
                explored = explore_routine(
                    subject.program, subject.contract(draft), subject.address, limited, lemmas
                )
            except _Grown:
                continue
            if growth.settle(explored):
                return _Collected(subject, explored, growth.needs).draft()
    raise NoContract(Reason(Why.POINTER, f"after {MOST_ROUNDS} attempts there are more objects"))


def _limit(options: ProofOptions) -> Callable[[int], None]:
    most = round(MOST_STEPS * options.effort)

    def on_progress(count: int) -> None:
        options.on_progress(count)
        if count > most:
            raise Undecided(f"it takes more than {most:,} instructions to execute")

    return on_progress


def _register_names(program: Program) -> list[str]:
    return [register_name(program.abi, item) for item in program.abi.contents]


class _Grown(Exception):
    """There is a further object or requirement: begin again."""


class _Growth:
    """What the routine may touch, and requires for that: more with each access that is lost.

    ``targets`` has, by the inputs in addresses, the span that these are meant for.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.objects: tuple[Span, ...] = ()
        self._needs: dict[str, Need] = {}
        self._targets: dict[str, Span] = {}
        self._margins: dict[str, int] = {}
        self._settled = False

    @property
    def needs(self) -> tuple[Need, ...]:
        """The requirements so far."""
        return tuple(self._needs.values())

    def hear(self, event: Event, oracle: Oracle) -> None:
        """An access that the contract so far does not allow. Raises _Grown and NoContract."""
        if event.kind not in _LOST or event.what.width != 16:
            return
        if event.what.is_const:
            if event.kind is EventKind.WRITES_FIXED and oracle.possible(event.path, t.TRUE):
                place = self._describe(event.what.number)
                detail = f"{self._describe(event.pc)}: it writes to {place}"
                raise NoContract(Reason(Why.BANK, detail, event.pc))
            return
        if not oracle.possible(event.path, t.TRUE):
            return
        names = {variable.name for variable in t.variables([event.what])}
        if self.subject.program.cpu.stack in names:
            detail = f"{self._describe(event.pc)}: it {event.kind.value}, of its caller's stack"
            raise NoContract(Reason(Why.STACK, detail, event.pc))
        path = event.path if event.kind is EventKind.TOO_MANY_PLACES else event.path[:-1]
        self._add(event, path, oracle)
        raise _Grown

    def settle(self, explored: Explored) -> bool:
        """Whether nothing is missing, and no requirement stricter than it has to be; it is mended
        once."""
        if self._settled or not self._margins:
            return True
        self._settled = True
        least: dict[str, Form] = {}
        for event in explored.exploration.events:
            if event.kind is not EventKind.ADDRESS or event.what.width != 16:
                continue
            form = form_of(event.what, self.subject.named)
            if form is not None and form.text in self._targets:
                known = least.get(form.text, form)
                lowest, highest = min(known.least, form.least), max(known.most, form.most)
                least[form.text] = replace(form, least=lowest, most=highest)
        for text, form in least.items():
            need = need_of_form(form, self._targets[text])
            if need is not None and text in self._margins:
                self._needs[text] = need
        return False

    def _describe(self, address: int) -> str:
        return self.subject.program.image.describe(address)

    def _add(self, event: Event, path: Sequence[Term], oracle: Oracle) -> None:
        address, writes = event.what, self._writes(event.pc)
        form = form_of(address, self.subject.named)
        text = "" if form is None else form.text
        known = self._targets.get(text)
        if known is not None and writes and self.subject.program.is_fixed[known.start]:
            known = None  # what was read only until now is written as well
            self._needs.pop(text, None)
        if known is not None:
            self._margins[text] = 2 * self._margins.get(text, 0) + 1
            self._require(event, known, self._margins[text])
            return
        exact = Span(address.low, address.high + 1)
        if form is None or form.high - form.low < 0x200:
            low = oracle.least(path, address).value(address)
            exact = Span(low, oracle.most(path, address).value(address) + 1)
        span, limits = self._target(address, exact, writes, text)
        if span is None:
            detail = (
                f"{self._describe(event.pc)}: it uses ${exact.start:04X}..${exact.end - 1:04X}"
            )
            raise NoContract(Reason(Why.POINTER, detail, event.pc))
        if not self.subject.program.is_fixed[span.start]:
            before = self.objects
            self.objects = merged([*self.objects, span])
            if before == self.objects and not limits:
                detail = f"{self._describe(event.pc)}: it uses an address that may be anywhere"
                raise NoContract(Reason(Why.POINTER, detail, event.pc))
        if limits:
            if text:
                self._targets[text] = span
            self._require(event, span, 0)

    def _require(self, event: Event, span: Span, margin: int) -> None:
        need = need_of(event.what, span, self.subject.named, margin)
        known = None if need is None else self._needs.get(need.text)
        if need is None or need.low > need.high or need == known:
            low, high = event.what.low, event.what.high
            detail = (
                f"{self._describe(event.pc)}: it uses ${low:04X}..${high:04X}; that to limit it "
                "to one object is no simple condition on its inputs"
            )
            raise NoContract(Reason(Why.POINTER, detail, event.pc))
        both = need if known is None else known.both(need)
        if both.low > both.high or both == known:
            detail = f"{both.text} would have to be in two areas of memory at once"
            raise NoContract(Reason(Why.POINTER, detail, event.pc))
        self._needs[need.text] = both

    def _writes(self, pc: int) -> bool:
        subject = self.subject
        size = subject.flows.steps[pc].instruction.opcode.size if pc in subject.flows.steps else 3
        code = subject.program.fixed[pc : pc + size]
        return bool(effect_of(subject.program.abi.cpu, code).stores)

    def _target(
        self, address: Term, exact: Span, writes: bool, text: str
    ) -> tuple[Span | None, bool]:
        """What an access is meant for, and whether that limits it."""
        regions, program = self.subject.regions, self.subject.program
        own = regions.symbol_at(exact.start)
        if own is not None and own.covers(exact):
            return exact, False
        base = _base(address)
        if exact.size <= _INDEXED or _INDEXED <= base < 0x10000 - _INDEXED:
            for place in (base, base + 1):
                own = regions.symbol_at(place)
                if own is not None:
                    return own, True
        area = regions.around(exact.start)
        if area is not None and area.covers(exact):
            return exact, False
        for hint in self.subject.hints.get(text, ()):
            area = regions.around(hint)
            if area is not None:
                return area, True
            if program.is_fixed[hint] and not writes:
                return self._fixed(hint), True
        if not writes:
            runs = [run for run in self._fixed_runs() if not base or run.has(base)]
            if runs:
                return max(runs, key=lambda run: run.size), True
        areas = [a for a in regions.variables if a.start < exact.end and exact.start < a.end]
        return max(areas, key=lambda each: each.size, default=None), True

    def _fixed(self, address: int) -> Span:
        return next(run for run in self._fixed_runs() if run.has(address))

    def _fixed_runs(self) -> Iterator[Span]:
        fixed = self.subject.program.is_fixed
        at = fixed.find(b"\1")
        while at >= 0:
            end = fixed.find(b"\0", at)
            yield Span(at, end if end >= 0 else len(fixed))
            at = -1 if end < 0 else fixed.find(b"\1", end)


def _base(address: Term) -> int:
    """An address with 0 for all that is not known: where what is indexed begins."""
    zero = {variable: t.const(0, variable.width) for variable in t.variables([address]) if variable.width}
    place = t.replace(address, zero)
    return place.number if place.is_const else 0


@dataclass(frozen=True)
class _Collected:
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
        for event in exploration.events:
            if event.kind is EventKind.BREAKS and self._breaks(event):
                raise NoContract(Reason(Why.POINTER, event.detail, event.pc))
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
        registers = frozenset(_register_names(program))
        draft = replace(draft, inputs=(inputs | required) & registers)
        low, high = self._cycles(cycles, leg.at.path)
        return replace(draft, cycles=None if low is None else (low, high))

    def _breaks(self, event: Event) -> bool:
        try:
            return self.oracle.always(event.path, event.what) is not None
        except Undecided:
            return True

    def _cycles(self, term: Term, path: Sequence[Term]) -> tuple[int | None, int | None]:
        try:
            low = self.oracle.least(path, term).value(term)
            high = self.oracle.most(path, term).value(term)
        except Undecided:
            return None, None
        return low, high

    def _changes(self, name: str, item: object) -> bool:
        start, (leg,) = self.explored.exploration.start, self.explored.exploration.returning()
        after, before = leg.at.get(name), start.kept(item)  # type: ignore[arg-type]
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
        found: list[Span] = []
        for event in exploration.events:
            if event.kind not in _READS or event.what.width != 16:
                continue
            path = event.path
            if event.kind is EventKind.READS_ARRAY and event.value is not None:
                path = (*path, t.not_(event.value))
            low, high = event.what.low, event.what.high
            span = Span(low, high + 1)
            if any(known.covers(span) for known in found):
                continue
            if event.what.is_const and program.is_fixed[low]:
                continue
            if not self.oracle.possible(path, t.TRUE):
                continue
            if not event.what.is_const:
                span = self._extent(path, event.what)
            found = list(merged([*found, span]))
        return found

    def _extent(self, path: Sequence[Term], address: Term) -> Span:
        low = self.oracle.least(path, address).value(address)
        return Span(low, self.oracle.most(path, address).value(address) + 1)

    def _written(self) -> tuple[Span, ...]:
        """The memory that changes, or is written through an index."""
        exploration, program = self.explored.exploration, self.subject.program
        (leg,) = exploration.returning()
        memory, entry = leg.at.memory, exploration.entry.memory
        found: list[Span] = []
        for address, value in memory.changed_bytes().items():
            same = t.eq(value, entry.byte(address))
            if same is not t.TRUE and self._may_fail(leg.at.path, same):
                found.append(Span(address, address + 1))
        changed = {which for which, array in memory.changed_arrays().items()
                   if array is not entry.array(which)}
        if not changed:
            return merged(found)
        inside: list[Span] = []
        for event in exploration.events:
            if event.kind is EventKind.ADDRESS and event.what.width == 16:
                size = self._size_at(event.pc)
                code = program.fixed[event.pc : event.pc + size]
                if not effect_of(program.abi.cpu, code).stores:
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
            found += parts
            # what is written without an index, or by a callee, is seen byte by byte
            array, before = memory.array(which), entry.array(which)
            rest = [a for a in range(which.address, which.end) if not any(p.has(a) for p in parts)]
            for address in rest:
                place = t.const(address, 16)
                same = t.eq(t.load(array, place), t.load(before, place))
                if same is not t.TRUE and self._may_fail(leg.at.path, same):
                    found.append(Span(address, address + 1))
        return merged(found)

    def _size_at(self, pc: int) -> int:
        steps = self.subject.flows.steps
        return steps[pc].instruction.opcode.size if pc in steps else 3

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
        registers = {*_register_names(self.subject.program)}
        found: set[str] = set()
        for variable in sorted(t.variables(results), key=lambda each: each.name):
            if variable.name in registers and self._matters(variable, results):
                found.add(variable.name)
        return frozenset(found)

    def _matters(self, variable: Term, results: Sequence[Term]) -> bool:
        (leg,) = self.explored.exploration.returning()
        twin = t.var(new_name(variable.name), variable.width, variable.low, variable.high)
        other = {variable: twin}
        path = [*leg.at.path, *(t.replace(c, other) for c in (*self.oracle.assumptions, *leg.at.path))]
        for result in results:
            if variable not in t.variables([result]):
                continue
            try:
                if self.oracle.always(path, t.eq(result, t.replace(result, other))) is not None:
                    return True
            except Undecided:
                return True
        return False
