"""Integers made of bits: exact arithmetic, for each number with the range it is within.

Nothing wraps: each result is as wide as its range needs. Results are no narrower than the
operands where those were a register wide, so that the terms are those of 8-bit code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

MAX_SHIFT = 256
"""Bits a number that is not known may shift to the left by."""


class Ranged(NamedTuple):
    """An integer within ``low`` .. ``high``: what ``term`` reads as.

    That is a number in two's complement if ``low`` is negative, else one without sign.
    """

    term: Term
    low: int
    high: int

    @property
    def width(self) -> int:
        """The bits of the term."""
        return self.term.width

    @property
    def signed_width(self) -> int:
        """The bits it takes in two's complement, as far as the term goes."""
        return self.width + (self.low >= 0)


def width_for(low: int, high: int) -> int:
    """The bits that all numbers ``low`` .. ``high`` fit into; signed if ``low`` is negative."""
    if low < 0:
        return max((-low - 1).bit_length(), max(high, 0).bit_length()) + 1
    return max(1, high.bit_length())


def constant(value: int) -> Ranged:
    """A number that is known."""
    width = width_for(value, value)
    return Ranged(t.const(value & ((1 << width) - 1), width), value, value)


def as_unsigned(term: Term) -> Ranged:
    """A term as a number without sign."""
    return Ranged(term, term.low, term.high)


def fit(number: Ranged, width: int) -> Term:
    """The number in two's complement of ``width`` bits: the lower ones, or more of its sign."""
    term = number.term
    if width < term.width:
        return t.extract(term, 0, width)
    if width == term.width:
        return term
    if number.low >= 0:
        return t.zext(term, width)
    more = width - term.width
    ones, zeros = t.const((1 << more) - 1, more), t.const(0, more)
    return t.concat(t.ite(t.extract(term, term.width - 1, 1), ones, zeros), term)


def _make(term: Term, low: int, high: int) -> Ranged:
    """A number whose range may be closer than the one worked out."""
    if low >= 0:
        low, high = max(low, term.low), min(high, term.high)
    return fold_constant(Ranged(term, low, high))


def _common(low: int, high: int, *numbers: Ranged) -> int:
    """The width for a result within ``low`` .. ``high``."""
    return max(width_for(low, high), *(number.width for number in numbers))


def bytes_of(number: Ranged, length: int) -> list[Ranged]:
    """The lowest ``length`` bytes, the lowest one first."""
    term = fit(number, 8 * length) if length else number.term
    return [fold_constant(as_unsigned(t.extract(term, 8 * place, 8))) for place in range(length)]


def fold_constant(number: Ranged) -> Ranged:
    """The same number, as a constant where the range leaves only one."""
    return constant(number.low) if number.low == number.high else number


def add(one: Ranged, two: Ranged) -> Ranged:
    """The sum."""
    low, high = one.low + two.low, one.high + two.high
    width = _common(low, high, one, two)
    return _make(t.add(fit(one, width), fit(two, width)), low, high)


def subtract(one: Ranged, two: Ranged) -> Ranged:
    """The difference."""
    low, high = one.low - two.high, one.high - two.low
    width = _common(low, high, one, two)
    return _make(t.sub(fit(one, width), fit(two, width)), low, high)


def multiply(one: Ranged, two: Ranged) -> Ranged:
    """The product."""
    for factor, other in ((one, two), (two, one)):
        if factor.low == factor.high and factor.low > 0 and factor.low.bit_count() == 1:
            return shift_left(other, factor.low.bit_length() - 1)
    corners = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
    low, high = min(corners), max(corners)
    width = _common(low, high, one, two)
    return _make(t.mul(fit(one, width), fit(two, width)), low, high)


def invert(number: Ranged) -> Ranged:
    """All bits the other way round: -1 - number."""
    low, high = -1 - number.high, -1 - number.low
    return _make(t.not_(fit(number, _common(low, high, number))), low, high)


def bit_and(one: Ranged, two: Ranged) -> Ranged:
    """The bits both have."""
    if one.low < 0 <= two.low:
        one, two = two, one
    if one.low < 0:
        return _to_signed(t.and_, one, two)
    # a negative number has as many ones above as the other one needs
    width = one.width if two.low < 0 else min(one.width, two.width)
    high = one.high if two.low < 0 else min(one.high, two.high)
    return _make(t.and_(fit(one, width), fit(two, width)), 0, high)


def bit_or(one: Ranged, two: Ranged) -> Ranged:
    """The bits one of them has."""
    if one.low < 0 or two.low < 0:
        return _to_signed(t.or_, one, two)
    width = max(one.width, two.width)
    high = (1 << max(one.high.bit_length(), two.high.bit_length())) - 1
    return _make(t.or_(fit(one, width), fit(two, width)), max(one.low, two.low), high)


def bit_xor(one: Ranged, two: Ranged) -> Ranged:
    """The bits just one of them has."""
    if one.low < 0 or two.low < 0:
        return _to_signed(t.xor, one, two)
    width = max(one.width, two.width)
    high = (1 << max(one.high.bit_length(), two.high.bit_length())) - 1
    return _make(t.xor(fit(one, width), fit(two, width)), 0, high)


def _to_signed(operation: Callable[[Term, Term], Term], one: Ranged, two: Ranged) -> Ranged:
    width = max(one.signed_width, two.signed_width)
    half = 1 << (width - 1)
    return _make(operation(fit(one, width), fit(two, width)), -half, half - 1)


def shift_left(number: Ranged, count: int) -> Ranged:
    """``number << count``; ``count`` is not negative."""
    if count == 0:
        return number
    term = t.concat(number.term, t.const(0, count))
    return _make(term, number.low << count, number.high << count)


def shift_right(number: Ranged, count: int) -> Ranged:
    """``number >> count``, rounded down; ``count`` is not negative."""
    if count == 0:
        return number
    low, high = number.low >> count, number.high >> count
    if low == high:
        return constant(low)
    count = min(count, number.width - 1)  # more of a sign is the sign
    return _make(t.extract(number.term, count, number.width - count), low, high)


def shift(number: Ranged, count: Ranged, left: bool) -> Ranged:
    """A shift by a count that is not negative and may not be known. Raises NotSymbolic."""
    if count.low == count.high:
        return (shift_left if left else shift_right)(number, count.low)
    if left and count.high > MAX_SHIFT:
        raise NotSymbolic(
            f"a shift to the left by up to {count.high} bits is not known to be short; "
            f"up to {MAX_SHIFT} can be: mask the count first, as in x << (n & 7)"
        )
    for bit in range(min(count.width, count.high.bit_length())):
        moved = (shift_left if left else shift_right)(number, 1 << bit)
        number = choose(t.extract(count.term, bit, 1), moved, number)
    return number


def less(one: Ranged, two: Ranged) -> Term:
    """One bit: ``one < two``."""
    if one.high < two.low:
        return t.TRUE
    if one.low >= two.high:
        return t.FALSE
    if one.low >= 0 and two.low >= 0:
        width = max(one.width, two.width)
        return t.ult(fit(one, width), fit(two, width))
    width = max(one.signed_width, two.signed_width)
    if two.low == two.high == 0:
        return t.extract(one.term, one.width - 1, 1)
    sign = t.const(1 << (width - 1), width)
    return t.ult(t.xor(fit(one, width), sign), t.xor(fit(two, width), sign))


def equal(one: Ranged, two: Ranged) -> Term:
    """One bit: ``one == two``."""
    if one.high < two.low or two.high < one.low:
        return t.FALSE
    width = max(one.width, two.width)
    if one.low < 0 or two.low < 0:
        width = max(one.signed_width, two.signed_width)
    return t.eq(fit(one, width), fit(two, width))


def choose(condition: Term, one: Ranged, two: Ranged) -> Ranged:
    """``one`` where the bit ``condition`` is set, else ``two``."""
    if condition.is_const:
        return one if condition.number else two
    low, high = min(one.low, two.low), max(one.high, two.high)
    width = max(one.width, two.width)
    if low < 0:
        width = max(one.signed_width, two.signed_width)
    return _make(t.ite(condition, fit(one, width), fit(two, width)), low, high)


def divide(number: Ranged, divisor: Ranged) -> tuple[Ranged, Ranged]:
    """Quotient, rounded down, and remainder; the divisor is at least 1."""
    d = divisor.low
    if d == divisor.high and d.bit_count() == 1:
        return shift_right(number, d.bit_length() - 1), bit_and(number, constant(d - 1))
    if number.low >= 0:
        return _divide(number, divisor)
    if d == divisor.high:
        more = -(number.low // d)
        quotient, remainder = _divide(add(number, constant(more * d)), divisor)
        return subtract(quotient, constant(more)), remainder
    # below zero: -q rounded down is q rounded up
    positive = Ranged(fit(number, number.width), 0, max(number.high, 0))
    negative = subtract(add(constant(0), divisor), add(number, constant(1)))
    below = less(number, constant(0))
    rounded, _ = _divide(_at_least_0(negative), divisor)
    quotient, _ = _divide(positive, divisor)
    quotient = choose(below, subtract(constant(0), rounded), quotient)
    remainder = subtract(number, multiply(quotient, divisor))
    return quotient, within(remainder, 0, divisor.high - 1)


def _at_least_0(number: Ranged) -> Ranged:
    """A number that is not used where it is negative, with its bits as one without sign."""
    return Ranged(number.term, 0, (1 << number.width) - 1) if number.low < 0 else number


def within(number: Ranged, low: int, high: int) -> Ranged:
    """A number that is known for other reasons to be within ``low`` .. ``high``, from 0 on."""
    return _make(fit(number, width_for(low, high)), low, high)


def _divide(number: Ranged, divisor: Ranged) -> tuple[Ranged, Ranged]:
    """The same for a number that is not negative."""
    if number.high < divisor.low:
        return constant(0), number
    remainder = t.rem(number.term, divisor.term)
    size = divisor.width + 1
    bits: list[Term] = []
    for position in reversed(range(number.width)):
        above = number.width - position - 1
        before = t.const(0, 1)
        if above:
            before = t.rem(t.extract(number.term, position + 1, above), divisor.term)
        shifted = t.concat(before, t.extract(number.term, position, 1))
        wide = max(size, shifted.width)
        bits.append(t.not_(t.ult(t.zext(shifted, wide), t.zext(divisor.term, wide))))
    quotient = t.concat(*bits) if len(bits) > 1 else bits[0]
    return (
        _make(quotient, number.low // divisor.high, number.high // divisor.low),
        _make(remainder, 0, min(number.high, divisor.high - 1)),
    )
