"""Whether an equality follows from another one, as polynomials.

A division by subtraction keeps ``q * d + n == n0``: with q + 1 and n - d in place of q and n both
sides differ by as much as before, as ``(q + 1) * d + (n - d) - (q * d + n)`` is the polynomial 0.
That is so of numbers. A register wraps around: its sum is one of integers where the conditions say
that it lies within the register. That is asked of each sum, where it is all that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from romproof.symbolic.solve.algebra import equation, same
from romproof.symbolic.solve.either import parts
from romproof.symbolic.solve.expansion import integers_of
from romproof.symbolic.terms.compare import less
from romproof.symbolic.terms.linear import lift, opposite
from romproof.symbolic.terms.logic import not_, or_
from romproof.symbolic.terms.node import SUM, Term
from romproof.symbolic.terms.walk import in_order

MAX_TERMS = 200
"""Terms of an equality: of a longer one no invariant is made."""
MAX_KNOWN = 16
"""Equalities that are tried."""
MAX_SUMS = 8
"""Sums that may have to be within their registers."""

Pair = tuple[Term, Term]
Never = Callable[[Sequence[Term]], bool]
"""Whether conditions never hold together, as far as that is easy to say."""


def is_derived(conditions: Sequence[Term], nonzero: frozenset[Term], never: Never) -> bool:
    """Whether one of the conditions says of two terms that they differ, though by the others they
    are equal."""
    single = [part for condition in conditions for part in parts(condition)]
    known = list(islice(filter(_are_short, _equalities(single)), MAX_KNOWN))
    for condition in conditions:
        pair = equation(condition)
        if pair is None or pair[0].width == 1 or not _are_short(pair):
            continue
        sums = _wrapping(pair)
        if len(sums) > MAX_SUMS:
            continue
        for others in _choices(known):
            if (sums or others) and same(*pair, nonzero, others, sums):
                needed = _drop_needless(pair, nonzero, others, sums)
                left = [each for each in conditions if each is not condition]
                return all(never([*left, _outside(each)]) for each in needed)
    return False


def _drop_needless(
    pair: Pair, nonzero: frozenset[Term], known: Sequence[Pair], sums: Sequence[Term]
) -> list[Term]:
    """Those of the sums without which nothing is shown; what is modulo a power of two anyway may
    wrap around."""
    left = list(sums)
    for each in reversed(sums):
        fewer = [other for other in left if other is not each]
        if same(*pair, nonzero, known, fewer):
            left = fewer
    return left


def _choices(known: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    """No equality, and each of the known ones added and taken off."""
    yield ()
    for one, other in known:
        yield ((one, other),)
        yield ((other, one),)


def _equalities(conditions: Sequence[Term]) -> Iterator[Pair]:
    for each in conditions:
        pair = equation(not_(each))
        if pair is not None and pair[0].width > 1:
            yield pair


def _are_short(pair: Pair) -> bool:
    return len(list(islice(in_order(pair), MAX_TERMS + 1))) <= MAX_TERMS


def _wrapping(pair: Pair) -> list[Term]:
    """The sums in two terms that may wrap around."""
    return [each for each in in_order(pair) if each.op is SUM and lift(each) is None]


def _outside(sums: Term) -> Term:
    """One bit: is a sum of integers negative, or too large for its register?"""
    factors, number = integers_of(sums)
    turned, opposed = opposite(factors, number)
    return or_(less(factors, number), less(turned, opposed + (1 << sums.width)))
