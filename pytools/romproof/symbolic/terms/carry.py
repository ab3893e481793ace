"""The carries and borrows in sums.

An integer form d with -2**p <= d < 2**p has d >> p = -1 where it is negative, else 0. So a borrow
is the high part of a difference, and with the opposite form -d - 1, negative where d is not:

    -[d < 0] = d >> p          [d < 0] = 1 + ((-d - 1) >> p)

``sums`` then adds below and above place p in one sum, and the carry is gone.

Of a sum S that wraps around, the high part takes part in the same, modulo its own width. With r for
the low p bits of S, and 0 <= n <= 2**p:

    (S >> p) + [r >= 2**p - n] = (S + n) >> p          (S >> p) - [r < n] = (S - n) >> p

A bit alone is such a high part, too: the highest of the p bits x is (x + 2**(p - 1)) >> p.
So a pair that grows by 32 each time, one half after the other, is a sum of 16 bits every time.
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.symbolic.terms.linear import (
    Factors,
    bits_for,
    bounds,
    collect,
    difference,
    lift,
    opposite,
    sort_terms,
)
from romproof.symbolic.terms.node import CONST, EQ, EXTRACT, SUM, ULT, Term
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import extract, zext


@dataclass(frozen=True, slots=True)
class Carry:
    """A summand that is the high part of an integer form: (form >> place) + ``more``."""

    term: Term
    place: int
    factors: Factors
    number: int
    more: int = 0


def carry_in(factors: Factors) -> Carry | None:
    """The carry of another sum among the summands of one, if there are others."""
    if len(factors) < 2 or all(term.width == 1 for term in factors):
        return None  # bits alone are counted
    # bits first: what such a bit is carried from may be the low part of the sum of an EXTRACT
    for term in sorted(sort_terms(factors), key=lambda term: term.op is EXTRACT):
        carry = _carry(term, factors[term]) if term.op in (ULT, EQ, EXTRACT) else None
        if carry is not None:
            return carry
    return None


def _carry(term: Term, factor: int) -> Carry | None:
    if term.op is ULT:
        if abs(factor) != 1:
            return None
        inner, number = difference(term) if factor < 0 else opposite(*difference(term))
        return Carry(term, bits_for(*bounds(inner, number)), inner, number, int(factor > 0))
    first = term.args[0]
    if term.op is EQ:
        second = term.args[1]
        if second.op is not CONST:
            return None
        if factor == 1 and second.number == (1 << first.width) - 1:
            # x + 1 carries where x is all ones: [x = m] = 1 + ((x - m) >> w), m = 2**w - 1
            return Carry(term, first.width, *collect([(1, first)], -second.number, 0), 1)
        if factor == -1 and not second.number:  # x - 1 borrows at 0: -[x = 0] = (x - 1) >> w
            return Carry(term, first.width, *collect([(1, first)], -1, 0))
        return None
    if factor == 1 and first.op is SUM and term.number + term.width == first.width:
        exact = lift(first)
        return None if exact is None else Carry(term, term.number, *exact)
    return None


@dataclass(frozen=True, slots=True)
class Wrapped:
    """Two summands that together are the high part of a sum, (``whole`` + ``more``) >> ``place``:
    ``high``, that of ``whole``, and ``bit``, the carry or borrow of adding ``more`` to it."""

    high: Term
    bit: Term
    whole: Term
    place: int
    more: int


def find_wrap(factors: Factors, width: int) -> Wrapped | None:
    """The high part of a sum of more than ``width`` bits, and a carry into it, among summands."""
    bits = sort_terms(t for t in factors if t.op in (ULT, EQ) and factors[t] in (1, -1))
    parts = sort_terms(t for t in factors if t.op is EXTRACT and factors[t] == 1) if bits else ()
    for high in parts:
        for bit in bits:
            whole = _whole_of(high, width, _unknown(bit))
            if whole is None:
                continue
            place = whole.width - width
            more = _find_added(extract(whole, 0, place), bit, factors[bit] > 0)
            if more:
                return Wrapped(high, bit, whole, place, more)
    return None


def _unknown(bit: Term) -> int:
    """How wide the numbers are that are compared."""
    return bit.args[0].width


def _whole_of(high: Term, width: int, below: int) -> Term | None:
    """The sum of which a part is the highest ``width`` bits; a bit is those of half a turn more
    than the ``below`` bits that it is the highest of."""
    first = high.args[0]
    if first.op is SUM and high.width <= width and high.number + high.width == first.width:
        return zext(first, high.number + width)
    start = high.number + 1 - below
    if high.width != 1 or start < 0 or not below:
        return None
    low = zext(extract(first, start, below), width + below)
    return RULES.of_form(width + below, {low: 1}, 1 << below - 1)


def _find_added(low: Term, bit: Term, is_carry: bool) -> int:
    """The number that has this carry, or borrow, when it is added to something that ends in
    ``low``; 0 where there is none. The bit is 1 where ``low`` is one of ``count`` values from
    ``first`` on, modulo its size: a carry comes of the last ones, a borrow of the first."""
    one, other = bit.args
    known, unknown = (one, other) if one.op is CONST else (other, one)
    if known.op is not CONST or unknown.width != low.width:
        return 0
    size = 1 << low.width
    minus = [(1, low), (-1, unknown)]
    factors, apart = collect(minus, 0, low.width)
    if factors:
        return 0
    if bit.op is EQ:
        first, count = known.number, 1
    elif known is other:
        first, count = 0, known.number
    else:
        first, count = known.number + 1, size - known.number - 1
    first = (first + apart) % size
    if is_carry:
        return count if (first + count) % size == 0 else 0
    return 0 if first else -count
