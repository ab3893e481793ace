"""Terms with the carries in them as bits of their own.

The rules of terms join sums as far as they can: what the digits at one place take from the place
below is then a bit of a long sum, and nothing to cut at. Here such a sum is parted again:

    (2**q * h + l) / 2**q  =  h + v + 1 - [l < (v + 1) * 2**q]     if l / 2**q is v or v + 1
    2**q * h + l < k      <=>  h + (l - k % 2**q) / 2**q < k / 2**q

(quotients rounded down, h and l sums). Each bit of the form [sum < number] is made in one way only,
so one carry is one term, however it was written. What comes out has the values that the given terms
have, and is for working out values, not for solvers: it is not simplified, and belongs to Terms of
its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from romproof.symbolic.terms.linear import (
    Factors,
    bits_for,
    bounds,
    difference,
    lift,
    to_signed,
    zeros,
)
from romproof.symbolic.terms.node import EXTRACT, HERE, SUM, ULT, Term, Terms, make
from romproof.symbolic.terms.slices import is_choice
from romproof.symbolic.terms.walk import in_order

IntegerSum = tuple[Factors, int]
"""A sum of integers: how often each term, and a number."""


class Separated:
    """The terms that were parted, by those that they are made from."""

    def __init__(self) -> None:
        self._terms = Terms()
        self._done: dict[Term, IntegerSum] = {}

    def term(self, term: Term) -> Term:
        """One that has the same values."""
        factors, number = self.form(term)
        if len(factors) == 1 and not number:
            ((only, factor),) = factors.items()
            if factor == 1 and only.width == term.width:
                return only
        return self._sum(factors, number, term.width)

    def form(self, term: Term) -> IntegerSum:
        """The same as a sum of integers, which is the term's value."""
        for inner in in_order([term], self._done):
            self._done[inner] = self._form(inner)
        return self._done[term]

    def _form(self, term: Term) -> IntegerSum:
        match term.op:
            case "const":
                return {}, term.number
            case "concat":
                at, parts = 0, []
                for part in reversed(term.args):
                    parts.append((1 << at, part))
                    at += part.width
                return self._total(parts, 0)
            case "ite" if is_choice(term):
                condition, then, otherwise = term.args
                return self._total([(then.number - otherwise.number, condition)], otherwise.number)
            case "xor" if len(term.args) == 1 and term.number == (1 << term.width) - 1:
                return self._total([(-1, term.args[0])], term.number)
            case "ult":
                factors, number = difference(term)
                return self._below(*self._total(_pairs(factors), number), 0)
            case "sum":
                exact = lift(term)
                if exact is not None:
                    return self._total(_pairs(exact[0]), exact[1])
            case "extract":
                found = self._slice(term)
                if found is not None:
                    return found
        return {self._again(term): 1}, 0

    def _again(self, term: Term) -> Term:
        """The term with args that were parted."""
        args = tuple(self.term(arg) if arg.width else arg for arg in term.args)
        return self._make(
            term.op, term.width, args, term.low, term.high, term.number, term.name,
            term.factors, term.table,
        )  # fmt: skip

    def _slice(self, term: Term) -> IntegerSum | None:
        """Bits of a sum."""
        whole, low = term.args[0], term.number
        if whole.op is not SUM:
            return None
        exact = lift(whole)
        if exact is None:  # it wraps around, which bits below its width do not see
            pairs = [
                (to_signed(factor, whole.width), arg)
                for arg, factor in zip(whole.args, whole.factors, strict=True)
            ]
            inner = self._total(pairs, whole.number)
        else:
            inner = self._total(_pairs(exact[0]), exact[1])
        for places in (low, *(each for each in _places(inner[0]) if each < low)):
            found = self._quotient(*inner, places)
            if found is None:
                continue
            least, most = bounds(*found)
            if places == low and least >= 0 and most < 1 << term.width and exact is not None:
                return found
            wide = term.width if places == low else whole.width - places
            rest = self._sum(*found, wide)
            if places < low:
                top = (1 << term.width) - 1
                rest = self._make(EXTRACT, term.width, (rest,), 0, top, low - places)
            return {rest: 1}, 0
        return None

    def _total(self, parts: list[tuple[int, Term]], number: int) -> IntegerSum:
        factors: Factors = {}
        for factor, part in parts:
            inner, more = self.form(part) if part not in self._done else self._done[part]
            number += factor * more
            for each, times in inner.items():
                factors[each] = factors.get(each, 0) + factor * times
        return {each: times for each, times in factors.items() if times}, number

    def _quotient(self, factors: Factors, number: int, places: int) -> IntegerSum | None:
        """A sum / 2**places, rounded down; None where the rest can be too many."""
        if not places:
            return factors, number
        high = {x: f >> places for x, f in factors.items() if zeros(f) >= places}
        low = {x: f for x, f in factors.items() if x not in high}
        above, rest = number >> places, number & (1 << places) - 1
        least, most = (end >> places for end in bounds(low, rest))
        if least == most:
            return high, above + least
        if most != least + 1:
            return None
        inner, more = self._below(low, rest, (most) << places)
        for each, times in inner.items():
            high[each] = high.get(each, 0) - times
        return {x: f for x, f in high.items() if f}, above + most - more

    def _below(self, factors: Factors, number: int, limit: int) -> IntegerSum:
        """Whether a sum is less than a number: 1 or 0."""
        limit -= number
        least, most = bounds(factors, 0)
        if most < limit:
            return {}, 1
        if least >= limit:
            return {}, 0
        for places in _places(factors):
            high = {x: f >> places for x, f in factors.items() if zeros(f) >= places}
            low = {x: f for x, f in factors.items() if x not in high}
            if not low:
                return self._below(high, 0, -(-limit >> places))
            above, rest = limit >> places, limit & (1 << places) - 1
            quotient = self._quotient(low, -rest, places)
            if quotient is not None:
                inner, more = quotient
                for each, times in inner.items():
                    high[each] = high.get(each, 0) + times
                return self._below({x: f for x, f in high.items() if f}, more, above)
        return self._bit(factors, limit)

    def _bit(self, factors: Factors, limit: int) -> IntegerSum:
        """The one term for: the sum is less than the limit."""
        terms = sorted(factors, key=lambda term: term.serial)
        if len(terms) == 1 and terms[0].width == 1:
            # x < 1 is not x, -x < 0 is x: all else is always so, or never
            return ({terms[0]: -1}, 1) if factors[terms[0]] > 0 else ({terms[0]: 1}, 0)
        if factors[terms[0]] < 0:
            inner, more = self._bit({x: -f for x, f in factors.items()}, 1 - limit)
            return {x: -f for x, f in inner.items()}, 1 - more
        least, most = bounds(factors, 0)
        width = bits_for(0, most - least) + 1
        less = self._make(
            ULT, 1, (self._sum(factors, -least, width), self._sum({}, limit - least, width)), 0, 1
        )
        return {less: 1}, 0

    def _sum(self, factors: Factors, number: int, width: int) -> Term:
        """A sum modulo 2**width."""
        mask = (1 << width) - 1
        terms = sorted((x for x in factors if factors[x] & mask), key=lambda term: term.serial)
        number &= mask
        if not terms:
            return self._make("const", width, (), number, number, number)
        low, high = bounds({x: factors[x] for x in terms}, number)
        fits = low >= 0 and high <= mask
        return self._make(
            SUM, width, tuple(terms), low if fits else 0, high if fits else mask, number,
            factors=tuple(factors[x] & mask for x in terms),
        )  # fmt: skip

    def _make(self, *given: Any, **named: Any) -> Term:
        """As ``make``, of Terms of its own."""
        before, HERE.terms = HERE.terms, self._terms
        try:
            return make(*given, **named)
        finally:
            HERE.terms = before


def _pairs(factors: Mapping[Term, int]) -> list[tuple[int, Term]]:
    return [(factor, term) for term, factor in factors.items()]


def _places(factors: Mapping[Term, int]) -> Iterator[int]:
    """Where a sum can be parted, the highest place first."""
    yield from sorted({zeros(factor) for factor in factors.values()} - {0}, reverse=True)
