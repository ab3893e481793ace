"""Equalities that follow from others: what is said to follow, follows for all inputs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from romproof.symbolic.solve.derived import is_derived
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

WIDTH = 3
Q, D, N = (t.var(name, WIDTH) for name in "qdn")
ALL = t.var("all", 2 * WIDTH)
ROWS = np.array(list(itertools.product(*(range(8),) * 3, range(64))), np.uint64).T
VALUES = dict(zip(("q", "d", "n", "all"), ROWS, strict=True))
ROOM = 2 * WIDTH + 1


def never(conditions: Sequence[Term]) -> bool:
    """Whether no input at all fulfils some conditions."""
    found = np.array(t.evaluate(list(conditions), VALUES))
    return not found.astype(bool).all(axis=0).any()


def whole(q: Term, n: Term) -> Term:
    """q * d + n, of integers."""
    product = t.mul(t.zext(q, ROOM), t.zext(D, ROOM))
    return t.add(product, t.zext(n, ROOM))


def k(number: int) -> Term:
    return t.const(number, WIDTH)


KNOWN = t.eq(whole(Q, N), t.zext(ALL, ROOM))
IS_LEFT = t.not_(t.ult(N, D))
HAS_ROOM = t.ult(Q, k(7))


def turned(more: int, less: Term) -> Term:
    """One bit: is the equality broken by a turn of the division?"""
    after = whole(t.add(Q, k(more)), t.sub(N, less))
    return t.not_(t.eq(after, t.zext(ALL, ROOM)))


def test_a_turn_of_a_division_keeps_its_equality() -> None:
    assert is_derived([KNOWN, IS_LEFT, HAS_ROOM, turned(1, D)], frozenset(), never)


@pytest.mark.parametrize(
    ("conditions", "broken"),
    [
        ([KNOWN, HAS_ROOM], turned(1, D)),  # n - d may be negative
        ([KNOWN, IS_LEFT], turned(1, D)),  # d may be 0, and q + 1 too large
        ([IS_LEFT, HAS_ROOM], turned(1, D)),
        ([KNOWN, IS_LEFT, HAS_ROOM], turned(2, D)),
        ([KNOWN, IS_LEFT, HAS_ROOM], turned(1, t.add(D, k(1)))),
        ([KNOWN, IS_LEFT, HAS_ROOM], turned(1, Q)),
        ([KNOWN, IS_LEFT, HAS_ROOM], t.not_(t.eq(whole(Q, N), t.zext(N, ROOM)))),
    ],
)
def test_what_does_not_follow_is_not_said_to(conditions: list[Term], broken: Term) -> None:
    assert not never([*conditions, broken])
    assert not is_derived([*conditions, broken], frozenset(), never)


def test_that_there_is_room_may_follow_from_the_equality_itself() -> None:
    positive = t.not_(t.eq(D, k(0)))
    small = t.ult(ALL, t.const(8, 2 * WIDTH))
    assert is_derived([KNOWN, positive, small, IS_LEFT, turned(1, D)], frozenset(), never)
    assert not is_derived([KNOWN, positive, IS_LEFT, turned(1, D)], frozenset(), never)


def test_an_equality_may_be_taken_off_the_other_way_round() -> None:
    other = t.eq(t.zext(ALL, ROOM), t.mul(t.zext(Q, ROOM), t.zext(D, ROOM)))
    more = t.add(t.zext(ALL, ROOM), t.zext(D, ROOM))
    product = t.mul(t.zext(t.add(Q, k(1)), ROOM), t.zext(D, ROOM))
    assert is_derived([other, HAS_ROOM, t.not_(t.eq(more, product))], frozenset(), never)
    assert not is_derived([other, t.not_(t.eq(more, product))], frozenset(), never)
