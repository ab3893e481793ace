"""What follows from conditions that are known to hold, where that is obvious."""

from __future__ import annotations

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import AND, CONCAT, EQ, ULT, XOR
from romproof.symbolic.terms.term import Term


class BitFacts:
    """Conditions of one bit that hold, and the bounds of terms that follow from them."""

    __slots__ = ("_bounds", "_truths")

    def __init__(self) -> None:
        self._truths: dict[Term, bool] = {}
        self._bounds: dict[Term, tuple[int, int]] = {}

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and the most that a term without sign can be."""
        low, high = self._bounds.get(term, (term.low, term.high))
        inner = _without_zeros(term)
        if inner is not None:
            inner_low, inner_high = self.bounds(inner)
            return max(low, inner_low), min(high, inner_high)
        return low, high

    def assume(self, condition: Term, holds: bool = True) -> None:
        """Take note of a condition that holds, or does not."""
        self._truths[condition] = holds
        if condition.op is XOR and condition.number and len(condition.args) == 1:
            self.assume(condition.args[0], not holds)
        elif condition.op is AND and holds:
            for part in condition.args:
                self.assume(part)
        elif condition.op is EQ:
            one, two = condition.args
            self._assume_equal(one, two, holds)
        elif condition.op is ULT:
            one, two = condition.args
            self._assume_less(one, two, 0) if holds else self._assume_less(two, one, 1)

    def _assume_equal(self, one: Term, two: Term, holds: bool) -> None:
        (low_1, high_1), (low_2, high_2) = self.bounds(one), self.bounds(two)
        if holds:
            self._narrow(one, low_2, high_2)
            self._narrow(two, low_1, high_1)
            return
        for term, low, high in ((one, low_2, high_2), (two, low_1, high_1)):
            least, most = self.bounds(term)
            if low == high == least:
                self._narrow(term, least + 1, most)
            elif low == high == most:
                self._narrow(term, least, most - 1)

    def _assume_less(self, one: Term, two: Term, more: int) -> None:
        """``one < two + more``."""
        (low, _), (_, high) = self.bounds(one), self.bounds(two)
        self._narrow(one, 0, high + more - 1)
        self._narrow(two, low + 1 - more, two.high)

    def _narrow(self, term: Term, low: int, high: int) -> None:
        if term.is_const:
            return
        least, most = self.bounds(term)
        self._bounds[term] = max(least, low), min(most, high)
        inner = _without_zeros(term)
        if inner is not None:
            self._narrow(inner, low, high)

    def truth(self, condition: Term) -> bool | None:
        """Whether a condition holds; None when that is not known."""
        if condition.is_const:
            return bool(condition.number)
        known = self._truths.get(condition)
        if known is not None:
            return known
        if condition.op is XOR and condition.number and len(condition.args) == 1:
            inner = self.truth(condition.args[0])
            return None if inner is None else not inner
        if condition.op is AND:
            parts = [self.truth(part) for part in condition.args]
            if False in parts:
                return False
            return None if None in parts else True
        if condition.op in (EQ, ULT):
            (low_1, high_1), (low_2, high_2) = map(self.bounds, condition.args)
            return (_equal if condition.op is EQ else _less)(low_1, high_1, low_2, high_2)
        return None


def _equal(low_1: int, high_1: int, low_2: int, high_2: int) -> bool | None:
    if high_1 < low_2 or high_2 < low_1:
        return False
    return True if low_1 == high_1 == low_2 == high_2 else None


def _less(low_1: int, high_1: int, low_2: int, high_2: int) -> bool | None:
    if high_1 < low_2:
        return True
    return False if low_1 >= high_2 else None


def _without_zeros(term: Term) -> Term | None:
    """What a term is without the zeros above it; None when there are none."""
    if term.op is CONCAT and term.args[0].is_const and not term.args[0].number:
        return t.concat(*term.args[1:])
    return None
