"""Carries into the upper half of a pair whose sum wraps around."""

from __future__ import annotations

import numpy as np
import pytest

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

D, E = t.var("d", 8), t.var("e", 8)
HIGH = pytest.mark.parametrize(
    "begin", [D, *(t.var(f"d{low}", 8, low, high) for low, high in ((0x80, 0x9A), (0xC1, 0xDE)))]
)
"""Upper halves: any, and those of pointers into some areas."""
PLACE, ABOVE = 3, 4
"""The bits of the lower half, and of the upper half."""
X, Y = t.var("x", PLACE), t.var("y", ABOVE)


def halves_plus(high: Term, low: Term, number: int) -> tuple[Term, Term]:
    """As ``ld a,l / add NUMBER / ld l,a / jr nc,@n / inc h``."""
    total = t.add(t.zext(low, 9), t.const(number, 9))
    carry = t.extract(total, 8, 1)
    return t.ite(carry, t.add(high, t.const(1, 8)), high), t.extract(total, 0, 8)


@pytest.mark.slow_cases(
    "20-begin0", "20-begin1", "32-begin0", "96-begin0", "200-begin0", "200-begin2"
)
@HIGH
@pytest.mark.parametrize("number", [1, 20, 32, 96, 128, 200, 255])
def test_a_number_added_to_the_halves_of_a_pair_again_and_again_is_added_to_the_pair(
    number: int, begin: Term
) -> None:
    high, low = begin, E
    for times in range(1, 20):
        high, low = halves_plus(high, low, number)
        assert t.concat(high, low) is t.add(t.concat(begin, E), t.const(times * number, 16))


@pytest.mark.slow_cases("20-begin0", "20-begin1", "32-begin2")
@HIGH
@pytest.mark.parametrize("number", [1, 20, 32, 255])
def test_a_number_taken_from_the_halves_is_taken_from_the_pair(number: int, begin: Term) -> None:
    high, low = begin, E
    for times in range(1, 20):
        borrow = t.ult(low, t.const(number, 8))
        high = t.ite(borrow, t.sub(high, t.const(1, 8)), high)
        low = t.sub(low, t.const(number, 8))
        assert t.concat(high, low) is t.sub(t.concat(begin, E), t.const(times * number, 16))


@pytest.mark.parametrize("more", range(8))
@pytest.mark.parametrize("sign", [1, -1])
def test_bits_that_are_no_carry_of_that_sum_stay_what_they_are(more: int, sign: int) -> None:
    """Each comparison with each number, of which one alone is the carry: the values are right."""
    x, y = (each.ravel() for each in np.meshgrid(np.arange(8), np.arange(16)))
    values = {"x": x.astype(np.uint64), "y": y.astype(np.uint64)}
    whole = t.add(t.concat(Y, X), t.const(more, 7))
    high, low = t.extract(whole, PLACE, ABOVE), t.extract(whole, 0, PLACE)
    upper, lower = (8 * y + x + more) >> 3 & 15, x + more & 7
    joined = 0
    for number in range(8):
        known = t.const(number, PLACE)
        for bit, holds, count in (
            (t.eq(low, known), lower == number, 1),
            (t.ult(low, known), lower < number, number),
            (t.ult(known, low), lower > number, 7 - number),
        ):
            made = (t.add if sign > 0 else t.sub)(high, t.zext(bit, ABOVE))
            (found,) = t.evaluate([made], values)
            expected = upper + sign * holds & 15
            assert np.array_equal(np.broadcast_to(found, expected.shape), expected), (number, bit)
            joined += t.concat(made, t.add(low, t.const(sign * count, PLACE))) is t.add(
                whole, t.const(sign * count, 7)
            )
    assert joined
