"""The carries and borrows in sums.

An integer form d with -2**p <= d < 2**p has d >> p = -1 where it is negative, else 0. So a borrow
is the high part of a difference, and with the opposite form -d - 1, negative where d is not:

    -[d < 0] = d >> p          [d < 0] = 1 + ((-d - 1) >> p)

``sums`` then adds below and above place p in one sum, and the carry is gone.
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.symbolic.terms.linear import (
    Factors,
    bits_for,
    bounds,
    collected,
    difference,
    lifted,
    opposite,
    sorted_terms,
)
from romproof.symbolic.terms.node import CONST, EQ, EXTRACT, SUM, ULT, Term


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
    for term in sorted_terms(factors):
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
            return Carry(term, first.width, *collected([(1, first)], -second.number, 0), 1)
        if factor == -1 and not second.number:  # x - 1 borrows at 0: -[x = 0] = (x - 1) >> w
            return Carry(term, first.width, *collected([(1, first)], -1, 0))
        return None
    if factor == 1 and first.op is SUM and term.number + term.width == first.width:
        exact = lifted(first)
        return None if exact is None else Carry(term, term.number, *exact)
    return None
