"""What callees require: in words of the caller's inputs, and where pointers that a loop moves have
to be when they are passed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from romproof.contract.nouns.expr import Condition
from romproof.isa.abi import Register
from romproof.prover.calls.summaries import ProvedRoutine
from romproof.prover.infer.addresses import Named, Need, expression, form_of
from romproof.prover.infer.growth import Growth
from romproof.prover.infer.moved import is_moved
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.invariants.wording import match_range
from romproof.prover.states.entry import register_name
from romproof.prover.states.view import number_of, terms_of
from romproof.symbolic.execute.events import Event, EventKind, LemmaDoesNotFit
from romproof.symbolic.execute.executor import Executor, Lemma
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import bits
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ARRAY, CONCAT, LOAD, Term
from romproof.symbolic.terms.origin import VariableName, byte_name

_ONE = re.compile(r"\((?P<name>\w+(?:\[\d+\])?) (?P<sign>[+-]) (?P<more>\d+)\)")
"""An input and a number more or less, alone."""
_WORD = re.compile(r"\b[A-Za-z_]\w*(?:\[\d+\])?")


@dataclass(frozen=True, slots=True)
class Passed:
    """A pointer at a call, as if it were an access, and where it has to be."""

    event: Event
    span: MemorySpan


def watch_lemmas(
    lemmas: Mapping[int, Lemma], growth: Growth, into: list[Passed] | None = None
) -> dict[int, Lemma]:
    """Lemmas that tell ``growth`` in which words what they require is a requirement on the caller's
    inputs, and put the pointers ``into`` a list of which they require a range and that loops
    move."""
    growth.said.clear()
    growth.asked.clear()
    return {at: _Watched(lemma, growth, into) for at, lemma in lemmas.items()}


@dataclass
class _Watched:
    lemma: Lemma
    growth: Growth = field(repr=False)
    into: list[Passed] | None = field(repr=False)

    def __call__(self, executor: Executor, state: State) -> None:
        """See Lemma."""
        if isinstance(self.lemma, ProvedRoutine):
            self._note(self.lemma, executor, state)
            if self.lemma.results is None:
                self.growth.take_over(self.lemma)
        try:
            self.lemma(executor, state)
        except LemmaDoesNotFit:
            lemma = self.lemma
            if isinstance(lemma, ProvedRoutine) and (
                self._is_indexed(lemma, state) or self._asks_of_memory(lemma)
            ):
                self.growth.take_over(lemma)
            raise

    @staticmethod
    def _is_indexed(lemma: ProvedRoutine, state: State) -> bool:
        """Whether what is passed in registers is not all constant: the callee's accesses are then
        likely to be indices into the caller's arrays, too."""
        abi = lemma.program.abi
        return not all(
            state.get(register_name(abi, item)).is_const
            for item in lemma.contract.inputs
            if isinstance(item, Register)
        )

    def _asks_of_memory(self, lemma: ProvedRoutine) -> bool:
        """Whether a callee requires something of a byte of memory, such as that of one at which its
        loop ends: its code would need it as well."""
        named = self.growth.subject.find_name
        return any(_of_byte(lemma, each, named) is not None for each in lemma.contract.requires)

    def _note(self, lemma: ProvedRoutine, executor: Executor, state: State) -> None:
        abi, requires = lemma.program.abi, lemma.contract.requires
        registers = {
            item.name: state.get(register_name(abi, item))
            for item in abi.contents
            if isinstance(item, Register)
        }
        pairs = {
            pair.upper(): t.concat(*(state.get(half) for half in halves))
            for pair, halves in abi.pairs.items()
            if state.registers.keys() >= {*halves}
        }
        terms = terms_of(requires, abi, state, state)
        for condition, holds in zip(requires, terms, strict=True):
            named = self.growth.subject.find_name
            limit = match_range(condition)
            place = None
            if limit is not None:
                place = bits(number_of(limit.expression, abi, state, state), 16)
            need = _need(condition, holds, {**registers, **pairs}, named, place)
            if need is not None:
                self.growth.said[holds] = need
            asked = _of_byte(lemma, condition, named)
            if asked is not None:
                self.growth.asked[holds] = asked
            if self.growth.subject.jumps and place is not None:  # into the table it jumps through
                passed = Event(EventKind.ADDRESS, state.path, place, state.pc, executor.start)
                self.growth.look_at_table(passed, executor.oracle)
            where = None if limit is None else pairs.get(limit.text)
            if self.into is None or where is None or limit is None or where.width != 16:
                continue
            if is_moved(where):
                event = Event(EventKind.ADDRESS, state.path, where, state.pc, executor.start)
                self.into.append(Passed(event, MemorySpan(limit.low, limit.high + 1)))


def _of_byte(lemma: ProvedRoutine, condition: Condition, named: Named) -> Need | None:
    """What a callee requires of a byte of memory, as it is at the call."""
    limit = match_range(condition)
    if limit is None:
        return None
    names = (byte_name(address) for address in lemma.contract.input_addresses)
    own = next((name for name in names if named(name) == limit.text), None)
    if own is None:
        return None
    return Need(limit.text, limit.low, limit.high, frozenset({own}))


def _need(
    condition: Condition,
    holds: Term,
    values: Mapping[str, Term],
    named: Named,
    place: Term | None = None,
) -> Need | None:
    """A requirement, which ``holds`` is the term of, with what the caller passes in place of
    registers; None where that is not simple. Memory is still what it was at the entry. ``place`` is
    what has to be in a range, for where it is one input and a number."""
    limit, names = match_range(condition), _names_in(holds)
    text = condition.text if limit is None else limit.text
    memory = {str(named(name)).partition("[")[0] for name in names if name.is_at_entry}
    said: dict[str, str] = {}
    for word in set(_WORD.findall(text)):
        own = _write(values[word], named) if word in values else None
        if own is None and (word in values or word.partition("[")[0] not in memory):
            return None
        said[word] = own or word
    if limit is None or not names:
        return None
    is_less = any(each.isdecimal() for each in said.values())
    form = form_of(place, named) if is_less and place is not None else None
    if form is not None and form.least == form.most and form.factor == 1:
        low, high = limit.low - form.least, limit.high - form.least
        return Need(form.text, max(low, 0), high, form.names, top=form.top)
    text = _WORD.sub(lambda word: said[word[0]], text)
    one = _ONE.fullmatch(text)
    if one is not None:  # as what other accesses need of the same input
        more = int(f"{one['sign']}{one['more']}")
        return Need(one["name"], max(limit.low - more, 0), limit.high - more, frozenset(names))
    begins = text.partition(" ")[0]
    begins = begins if len(begins) == 2 and begins in values and begins != text else ""
    return Need(text, limit.low, limit.high, frozenset(names), begins)


def _names_in(term: Term) -> set[VariableName]:
    """The names of what a term has of the entry and of others: of an array that is still what it
    was those of the bytes that are read."""
    names = {each.name for each in t.variables([term]) if each.width}
    for each in t.in_order([term]):
        array, place = each.args if each.op is LOAD else (each, each)
        if array.op is ARRAY and array.name.is_at_entry and place.is_const:
            names.add(byte_name(place.number))
    return names


def _write(value: Term, named: Named) -> str | None:
    """What a caller passes as contracts write it: a number, an input, or one and a number more."""
    if value.is_const:
        return str(value.number)
    if value.op is CONCAT and len(value.args) == 2 and value.args[0].is_const:
        return _write(value.args[1], named) if not value.args[0].number else None
    known = expression(value, named)
    if known is not None or value.width != 16:
        return known
    form = form_of(value, named)
    if form is None or form.least != form.most or form.factor != 1:
        return None
    more = form.least
    if more < 0 and form.high + form.low < -2 * more:  # mostly one turn of 64 KiB further on
        more += 0x10000
    sign = "+" if more > 0 else "-"
    return f"({form.text} {sign} {abs(more)})" if more else form.text
