"""A disequality with what a known equality says taken off it.

Where ``a2 == b2`` is among the conditions, ``a != b`` says the same as ``a - b != a2 - b2``, as the
right side is 0. So the question is the same one, with the same models. It is a nearer one where
what both sums share drops out, as it does of a loop's pointer and its counter: of
``HL + 3 * B == K``, kept up by an iteration, only ``3 * B`` and ``3 * (B - 1)`` are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from romproof.symbolic.solve.algebra import equation
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import AND, EQ, HERE, Term
from romproof.symbolic.terms.sums import sub
from romproof.symbolic.terms.walk import in_order, variables

_MAX_TERMS = 100
"""Terms of an equality: a long one makes nothing simpler."""
_MAX_PAIRS = 64
"""Equalities that are tried."""


def nearer(conditions: Sequence[Term]) -> list[Term] | None:
    """The same question with fewer variables in a disequality; None where no equality among the
    conditions makes them fewer."""
    known = (pair for each in conditions for pair in _equalities(each))
    pairs = list(islice(filter(_are_short, known), _MAX_PAIRS))
    for place, condition in enumerate(conditions):
        differ = equation(condition)
        if differ is None or not _are_short(differ):
            continue
        distance = sub(*differ)
        before = variables([distance])
        for one, other in (*pairs, *((b, a) for a, b in pairs)):
            if one.width < distance.width:
                continue
            nothing = sub(*(t.extract(each, 0, distance.width) for each in (one, other)))
            left = sub(distance, nothing)
            if variables([left]) < before:
                zero = t.const(0, left.width)
                return [*conditions[:place], t.not_(t.eq(left, zero)), *conditions[place + 1 :]]
    return None


def _are_short(terms: Sequence[Term]) -> bool:
    return len(list(islice(in_order(terms), _MAX_TERMS + 1))) <= _MAX_TERMS


def _equalities(condition: Term) -> Iterator[tuple[Term, Term]]:
    """The terms of which a condition says that they are equal."""
    for each in (condition, *(condition.args if condition.op is AND else ())):
        if each.op is EQ:
            yield each.args[0], each.args[1]
        elif (pair := HERE.terms.equations.get(each)) is not None:
            yield pair
