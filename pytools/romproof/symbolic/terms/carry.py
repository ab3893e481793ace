"""The carries and borrows in sums."""

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
    """A summand that is what a form of integers gives above a place: form >> place, + ``more``."""

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
            # all ones: counting up carries
            return Carry(term, first.width, *collected([(1, first)], -second.number, 0), 1)
        if factor == -1 and not second.number:  # counting down borrows
            return Carry(term, first.width, *collected([(1, first)], -1, 0))
        return None
    if factor == 1 and first.op is SUM and term.number + term.width == first.width:
        exact = lifted(first)
        return None if exact is None else Carry(term, term.number, *exact)
    return None
