"""Addresses that depend on inputs: what has to be required of these to stay within an object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from romproof.prover.infer.regions import MemorySpan
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import bounds, collect, to_signed
from romproof.symbolic.terms.node import CONCAT, EXTRACT, VAR, Term
from romproof.symbolic.terms.origin import VariableName, register_variable


class Named(Protocol):
    """What contracts call a variable of the entry, or the two bytes from one on; None of others."""

    def __call__(self, variable: VariableName, as_word: bool = False, /) -> str | None: ...


"""What contracts call a variable; None where they cannot."""
RequiredLimits = Callable[[str], tuple[int, int] | None]
"""Between which values an expression of contracts is required to be already; None: anywhere."""

PAIRS = tuple(
    (register_variable(a), register_variable(b)) for a, b in (("b", "c"), ("d", "e"), ("h", "l"))
)
"""Registers that are the high and the low byte of one number."""
_MAX_FACTORS = 3
"""Inputs in one condition: with more, nobody would want to read it."""
_OTHERS = 24
"""Sets of values of other registers that a condition on one is tried with."""
_SHORTEST = 4
"""Values in a row of those with which a condition held each time."""
_WIDEST_REST = 1024
"""How far an address may vary for other reasons than the inputs in its condition."""


@dataclass(frozen=True, slots=True)
class Form:
    """An address as ``factor`` times ``text`` (an expression of contracts, which never wraps
    around) plus ``least`` .. ``most``; the text's values are ``low`` to ``high`` by what is
    required so far, and 0 to ``top`` by themselves; its inputs are ``names``."""

    text: str
    least: int
    most: int
    low: int
    high: int
    names: frozenset[VariableName]
    top: int
    factor: int = 1

    @property
    def anew(self) -> Form:
        """The same with nothing required of its text."""
        return replace(self, low=0, high=self.top)


@dataclass(frozen=True, slots=True)
class Need:
    """``text`` has to be one of ``low`` .. ``high``; ``names`` are the inputs in it.

    ``begins`` is the part of the text that stands for one pointer, where the rest is how far a loop
    moves that: the condition is one on both together. ``top`` is the greatest value that the text
    can have; None where that is not known.
    """

    text: str
    low: int
    high: int
    names: frozenset[VariableName]
    begins: str = ""
    top: int | None = None

    @property
    def says_nothing(self) -> bool:
        """Whether it is so for all inputs."""
        return self.top is not None and self.low <= 0 and self.high >= self.top

    def __str__(self) -> str:
        """As contracts write it."""
        if self.low == self.high:
            return f"{self.text} == {_number(self.low)}"
        return f"{self.text} in {_number(self.low)}..{_number(self.high)}"

    def intersect(self, other: Need) -> Need:
        """What both say of the same expression."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Need(self.text, low, high, self.names, self.begins, self.top)


def form_of(address: Term, named: Named) -> Form | None:
    """An address as a sum of inputs and a bounded rest; None where it is none."""
    factors, number = collect([(1, address)], 0, 16)
    number = to_signed(number, 16) if len(factors) == 1 else number
    factors = _with_pairs(factors, named)
    parts: list[str] = []
    inputs: dict[Term, int] = {}
    rest: dict[Term, int] = {}
    for term, factor in sorted(factors.items(), key=lambda each: each[0].serial):
        text = expression(term, named) if factor > 0 else None
        if text is None:
            rest[term] = factor
        else:
            inputs[term] = factor
            parts.append(text if factor == 1 else f"{factor} * {text}")
    if not parts or len(parts) > _MAX_FACTORS:
        return None
    least, most = bounds(rest, number)
    if most - least > _WIDEST_REST:
        return None
    if len(inputs) == 1:
        ((term, factor),) = inputs.items()
        only = frozenset(variable.name for variable in t.variables([term]))
        text = expression(term, named)
        assert text is not None
        top = (1 << term.width) - 1
        return Form(text, least, most, term.low, term.high, only, top, factor)
    low, high = bounds(inputs, 0)
    top = sum(factor * ((1 << term.width) - 1) for term, factor in inputs.items())
    names = frozenset(variable.name for variable in t.variables(inputs))
    return Form(" + ".join(parts), least, most, low, high, names, top)


def _with_pairs(factors: Mapping[Term, int], named: Named) -> dict[Term, int]:
    """The same sum, with two registers, or bytes of a variable, that are one number as a pair."""
    joined = dict(factors)
    variables = {term.name: term for term in factors if term.op is VAR}
    places = {name.address: name for name in variables}
    words = [
        (places[at + 1], low)
        for at, low in places.items()
        if at is not None and at + 1 in places and named(low, True) is not None
    ]
    for high, low in (*PAIRS, *words):
        upper, lower = variables.get(high), variables.get(low)
        if upper is not None and lower is not None and joined[upper] == 256 * joined[lower]:
            del joined[upper]
            joined[t.concat(upper, lower)] = joined.pop(lower)
    return joined


def expression(term: Term, named: Named) -> str | None:
    """A term as contracts write it, if it is as simple as a register, a pair, some of its bits or
    a byte of memory."""
    if term.op is VAR:
        return named(term.name) if term.name.is_at_entry else None
    if term.op is CONCAT:
        if all(arg.op is VAR for arg in term.args) and len(term.args) == 2:
            high, low = (arg.name for arg in term.args)
            return pair(high, low, named)
        return None
    if term.op is EXTRACT and term.args[0].op is VAR:
        whole = expression(term.args[0], named)
        if whole is None:
            return None
        if term.number == 0:
            return f"({whole} & {(1 << term.width) - 1})"
        if term.number + term.width == term.args[0].width:
            return f"({whole} >> {term.number})"
        return f"(({whole} >> {term.number}) & {(1 << term.width) - 1})"
    return None


def pair(high: VariableName, low: VariableName, named: Named) -> str | None:
    """Two bytes as one number."""
    if f"{high}{low}" in ("bc", "de", "hl"):
        return f"{high}{low}".upper()
    both = named(high), named(low)
    if None in both:
        return None
    first, second = high.address, low.address
    if first is not None and second is not None and first == second + 1:
        word = named(low, True)
        if word is not None:
            return word
    return f"({both[0]} * 256 + {both[1]})"


def index_in(address: Term) -> tuple[Term, int, int] | None:
    """An address as ``base`` plus one byte to which ``more`` is added, modulo 256: that byte, the
    base and -128 <= more < 128. None where it is none: that of a pointer has more unknown bytes."""
    unknown = [each for each in t.variables([address]) if each.width]
    if len(unknown) != 1 or unknown[0].width != 8 or address.high - address.low > 0xFF:
        return None
    (index,) = unknown
    numbers = np.arange(0x100, dtype=np.uint64)
    try:
        (places,) = t.evaluate([address], {index.name: numbers})
    except KeyError:  # it rests on memory
        return None
    base = int(places.min())
    more = int(places[0]) - base
    if not np.array_equal(places, base + (numbers + np.uint64(more)) % 0x100):
        return None
    return index, base, to_signed(more, 8) if more != 0x80 else -0x80


def form_of_index(address: Term, named: Named) -> Form | None:
    """The same as a form of that byte, which holds where the byte does not wrap around: what is
    required keeps it from that."""
    found = index_in(address)
    text = None if found is None else expression(found[0], named)
    if found is None or text is None:
        return None
    index, base, more = found
    return Form(text, base + more, base + more, 0, 0xFF, frozenset({index.name}), 0xFF)


def need_of(address: Term, span: MemorySpan, named: Named, margin: int = 0) -> Need | None:
    """What is enough for an address to lie in a span, and at the same time up to ``margin`` bytes
    further on in its direction."""
    form = form_of(address, named)
    if form is not None:
        need = need_of_form(form, span, margin)
        if need is not None:
            return need
    return _by_trying(address, span, named)


def need_of_form(form: Form, span: MemorySpan, margin: int = 0) -> Need | None:
    """The same of a form."""
    least = form.least - (margin if form.least < 0 else 0)
    most = form.most + (margin if form.most > 0 else 0)
    # the sum may wrap around once: the number is then the less by 64 KiB, or the more below 0
    options = [
        (
            max(form.low, -((least + wrap - span.start) // form.factor)),
            min(form.high, (span.end - 1 - most - wrap) // form.factor),
        )
        for wrap in (0, -0x10000, 0x10000)
    ]
    good = [(low, high) for low, high in options if low <= high]
    if not good:
        return None
    low, high = max(good, key=lambda each: each[1] - each[0])
    return Need(form.text, low, high, form.names, top=form.top)


def _by_trying(address: Term, span: MemorySpan, named: Named) -> Need | None:
    """For an address that depends on one byte only, in whatever way: the longest run of its values
    with which it lies in the span, but that from 0 on where there is one. An index of 0 is what it
    is into; the numbers before it, which wrap around, may be more."""
    variables = list(t.variables([address]))
    if len(variables) != 1 or variables[0].width > 8 or not variables[0].name.is_at_entry:
        return None
    (variable,) = variables
    text = named(variable.name)
    if text is None:
        return None
    good = []
    for value in range(variable.low, variable.high + 1):
        place = t.replace(address, {variable: t.const(value, variable.width)})
        if not place.is_const:
            return None
        good.append(span.has(place.number))
    runs = list(_runs(good))
    if not runs:
        return None
    begins = variable.low == 0 and runs[0][0] == 0 < runs[0][1]
    low, high = runs[0] if begins else max(runs, key=lambda run: run[1] - run[0])
    return Need(text, variable.low + low, variable.low + high, frozenset({variable.name}))


def need_of_condition(
    condition: Term, named: Named, limits: RequiredLimits, path: Sequence[Term] = ()
) -> Need | None:
    """For a condition (one bit) the longest run of values of one register, pair or byte with which
    it holds, within what is required of that: for whatever there is in other registers and bytes,
    as far as some numbers show. It need not hold where a condition of ``path`` on the same alone
    does not, but has to for some value with which these do."""
    variables = sorted(t.variables([condition]), key=lambda each: each.name)
    if any(not 0 < each.width <= 8 or not each.name.is_at_entry for each in variables):
        return None
    names = {each.name for each in variables}
    pairs = [pair for pair in PAIRS if names >= set(pair)]
    alone = [each.name for each in variables if each.width == 8]
    for what in (*pairs, *((name,) for name in alone)):
        need = _need_of(condition, variables, what, named, limits, path)
        if need is not None:
            return need
    return None


def _need_of(
    condition: Term,
    variables: Sequence[Term],
    what: tuple[VariableName, ...],
    named: Named,
    limits: RequiredLimits,
    path: Sequence[Term],
) -> Need | None:
    text = "".join(what).upper() if len(what) == 2 else named(what[0])
    if text is None:
        return None
    size = 0x100 ** len(what)
    numbers = np.arange(size, dtype=np.uint64)
    values: dict[str, Any] = {"": np.zeros(1, dtype=np.uint64)}
    values |= {
        name: numbers >> np.uint64(8 * place) & np.uint64(0xFF)
        for place, name in enumerate(reversed(what))
    }
    others = [each for each in variables if each.name not in what]
    chance, good = np.random.default_rng(1), np.ones(size, dtype=bool)
    for _ in range(_OTHERS if others else 1):
        rest = {
            str(each.name): chance.integers(each.low, each.high + 1, size, dtype=np.uint64)
            for each in others
        }
        (holds,) = t.evaluate([condition], {**values, **rest}, {})
        good &= np.broadcast_to(holds, size).astype(bool)
    asked = [each for each in path if {v.name for v in t.variables([each])} <= {*what}]
    (made,) = t.evaluate([t.all_of(asked)], values, {})
    made = np.broadcast_to(made, size).astype(bool)
    good |= ~made
    least, most = limits(text) or (0, size - 1)
    good[:least] = good[most + 1 :] = False
    runs = [(low, high) for low, high in _runs(good.tolist()) if made[low : high + 1].any()]
    if not runs:
        return None
    low, high = max(runs, key=lambda run: run[1] - run[0])
    if others and high - low < _SHORTEST and high > low:
        return None  # by chance
    names = frozenset(what)
    if size == 0x100 and good[0] and good[-1] and not good.all():
        below, above = int(good.argmin()), int(good[::-1].argmin())
        if below + above > high - low + 1 and (made[:below].any() or made[-above:].any()):
            return Need(f"({text} + {above}) % 256", 0, below + above - 1, names)
    return Need(text, low, high, names)


def _runs(good: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for index, each in enumerate([*good, False]):
        if each and start is None:
            start = index
        elif not each and start is not None:
            yield start, index - 1
            start = None


def _number(value: int) -> str:
    return str(value) if value < 0x100 else f"${value:04X}"
