"""Conditions on free bits may be left out: what is left can hold just if all can."""

from __future__ import annotations

import random
from itertools import product

import pytest

from romproof.symbolic.solve.freedom import without_free_bits
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

A, B = t.var("a", 4), t.var("b", 4)
SMALL = t.var("c", 4, 0, 9)


def bit(variable: Term, place: int, wanted: bool = True) -> Term:
    condition = t.extract(variable, place, 1)
    return condition if wanted else t.not_(condition)


def test_bits_of_which_nothing_else_speaks_are_left_out() -> None:
    other = t.ult(B, t.const(5, 4))
    assert without_free_bits([bit(A, 0), bit(A, 3, False), other]) == [other]
    assert without_free_bits([t.var("flag", 1)]) == []


def test_bits_that_matter_stay() -> None:
    other = t.ult(A, t.const(5, 4))
    for kept in (
        [other, bit(A, 3)],
        [bit(A, 3), bit(A, 3, False)],
        [bit(SMALL, 3), bit(SMALL, 2)],
        [t.eq(t.add(A, B), t.const(3, 4)), bit(B, 0)],
    ):
        assert set(without_free_bits(kept)) == set(kept)


def _can_hold(conditions: list[Term]) -> bool:
    values = product(range(16), range(16), range(10))
    for numbers in values:
        put = {v: t.const(n, 4) for v, n in zip((A, B, SMALL), numbers, strict=True)}
        if all(t.replace(condition, put) is t.TRUE for condition in conditions):
            return True
    return False


@pytest.mark.slow
def test_what_is_left_can_hold_just_if_all_can() -> None:
    chosen = random.Random(7)
    pool = [bit(v, place, yes) for v in (A, B, SMALL) for place in range(4) for yes in (0, 1)]
    pool += [t.ult(A, B), t.eq(B, t.const(6, 4)), t.ult(t.const(11, 4), A)]
    for _ in range(60):
        conditions = chosen.sample(pool, chosen.randint(1, 5))
        assert _can_hold(without_free_bits(conditions)) == _can_hold(conditions)
