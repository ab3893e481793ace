"""Remainders: the steps of a division are seen to be one, and the values are those of Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from romproof.symbolic.numbers.integers import SymInt, bits
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

DIVISOR = t.var("d", 8, 1)


def divided(number: Term, divisor: Term) -> Term:
    """What shifting and subtracting leaves: a remainder of 8 bits, and a carry above it."""
    remainder = t.const(0, 8)
    for place in reversed(range(number.width)):
        shifted = t.concat(remainder, t.extract(number, place, 1))
        carry, low = t.extract(shifted, 8, 1), t.extract(shifted, 0, 8)
        fits = t.or_(carry, t.not_(t.ult(low, divisor)))
        remainder = t.ite(fits, t.sub(low, divisor), low)
    return remainder


@pytest.mark.parametrize("width", [1, 7, 8, 9, 16, 32, 64])
def test_a_division_bit_by_bit_is_the_remainder(width: int) -> None:
    number = t.var("n", width)
    found = divided(number, DIVISOR)
    assert found is t.extract(t.rem(t.zext(number, 80), t.zext(DIVISOR, 80)), 0, 8)
    assert found is bits(SymInt(number) % SymInt(DIVISOR), 8)
    bytes_apart = t.concat(*(t.extract(number, place, 1) for place in reversed(range(width))))
    assert divided(bytes_apart, DIVISOR) is found


def test_a_pointer_that_goes_round_an_end_is_a_remainder() -> None:
    place = t.var("place", 8, 0, 77)
    following = t.add(place, t.const(1, 8))
    end = t.const(78, 8)
    assert t.ite(t.ult(following, end), following, t.sub(following, end)) is t.rem(following, end)


def test_steps_that_are_none_stay_choices() -> None:
    a, b = t.var("a", 8), t.var("b", 8)
    for condition, then, otherwise in (
        (t.ult(a, DIVISOR), a, t.sub(a, DIVISOR)),  # it may fit more than once
        (t.ult(DIVISOR, a), a, t.sub(a, DIVISOR)),
        (t.ult(a, t.const(200, 8)), a, t.sub(a, t.const(100, 8))),
        (t.ult(a, b), a, t.sub(a, b)),  # what may be 0 is no divisor
    ):
        assert "rem" not in {each.op for each in t.in_order([t.ite(condition, then, otherwise)])}


def test_values() -> None:
    rnd = random.Random(20213)
    for width in (3, 8, 16, 33, 64, 72):
        n, d = t.var("n", width), t.var("d", 8)
        numbers = [rnd.getrandbits(rnd.randrange(1, width + 1)) for _ in range(200)]
        divisors = [rnd.getrandbits(rnd.randrange(1, 9)) for _ in numbers]
        kind = np.uint64 if width <= 64 else object
        values = {"n": np.array(numbers, kind), "d": np.array(divisors, np.uint64)}
        expected = [a % b if b else a for a, b in zip(numbers, divisors, strict=True)]
        assert t.evaluate([t.rem(n, d)], values)[0].tolist() == expected
        for number in {each % (1 << width) for each in (1, 3, 4, 10, 200)}:
            found = t.evaluate([t.rem(n, t.const(number, width))], values)[0]
            assert found.tolist() == [a % number if number else a for a in numbers]
