"""Remainders: a division is recognised in the steps that 8-bit code takes.

A step doubles the remainder r = a % d, shifts in the next bit of the dividend and subtracts the
divisor if that fits. With r <= d - 1 the state s = 2 * r + bit is below 2 * d, so

    (2 * a + bit) % d  =  s if s < d else s - d

and by induction the choice is the remainder of all bits so far: the same term as ``%`` in a model.
Where s has one bit more than the register, that bit (the carry) means that d fits: s - d is below
d, so the subtraction modulo 2**width is exact.
"""

from __future__ import annotations

from romproof.symbolic.terms.compare import ult
from romproof.symbolic.terms.logic import and_
from romproof.symbolic.terms.node import CONCAT, CONST, EXTRACT, REM, SUM, Term, const, make
from romproof.symbolic.terms.slices import concat, extract, flipped, zext
from romproof.symbolic.terms.sums import sub


def rem(a: Term, b: Term) -> Term:
    """The remainder of a division, both without sign; by 0 it is 0."""
    width = a.width
    if a.high < b.low:
        return a
    if b.op is CONST and not b.number & b.number - 1:
        bits = max(b.number.bit_length() - 1, 0)
        return zext(extract(a, 0, bits), width) if bits else const(0, width)
    if a.op is CONST is b.op:
        return const(a.number % b.number, width)
    number, divisor = _short(a), _short(b)
    # (a % d) * 2**k + low and a * 2**k + low differ by a multiple of d: the inner % is not needed
    while number.op is CONCAT and number.args[0].op is REM and number.args[0].args[1] is divisor:
        number = concat(number.args[0].args[0], *number.args[1:])
    if number.op is REM and number.args[1] is divisor:
        return zext(number, width)
    high = min(number.high, divisor.high - 1)
    if not high:
        return const(0, width)
    return zext(make(REM, high.bit_length(), (number, divisor), 0, high), width)


def _short(term: Term) -> Term:
    """The term without the zeros above it."""
    return extract(term, 0, max(1, term.high.bit_length()))


def step(condition: Term, then: Term, otherwise: Term) -> Term | None:
    """The remainder that a choice is a step of: ``then`` where the condition holds."""
    if otherwise.op is SUM:
        return _step(condition, then, otherwise)
    if then.op is SUM:
        return _step(flipped(condition), otherwise, then)
    return None


def _step(less: Term, state: Term, reduced: Term) -> Term | None:
    """The remainder, where a state below the divisor is kept and any other is reduced by it."""
    width = state.width
    divisor = sub(state, reduced)
    if divisor.op is SUM or not divisor.low:
        return None
    if state.high < 2 * divisor.low and less is ult(state, divisor):
        return rem(state, divisor)
    before = _before(state, _short(divisor))
    if before is None:
        return None
    number = concat(before, extract(state, 0, 1))
    fits = ult(state, divisor)
    if number.width == width + 1:
        fits = and_(fits, flipped(extract(number, width, 1)))
        same = extract(number, 0, width) is state
    else:
        same = number.width <= width and zext(number, width) is state
    if not same or less is not fits:
        return None
    result = rem(number, divisor)
    return zext(result, width) if number.width <= width else extract(result, 0, width)


def _before(state: Term, divisor: Term) -> Term | None:
    """The remainder before the last bit was taken in."""
    if state.op is not CONCAT:
        return None
    for part in state.args[:-1]:
        before = part.args[0] if part.op is EXTRACT else part
        if before.op is REM and before.args[1] is divisor:
            return before
    return None
