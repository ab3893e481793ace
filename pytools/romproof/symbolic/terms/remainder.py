"""Remainders: a division is recognised in the steps that 8-bit code takes.

A step doubles the remainder r = a % d, shifts in the next bit of the dividend and subtracts the
divisor if that fits. With r <= d - 1 the state s = 2 * r + bit is below 2 * d, so

    (2 * a + bit) % d  =  s if s < d else s - d

and by induction the choice is the remainder of all bits so far: the same term as ``%`` in a model.
Where s has one bit more than the register, that bit (the carry) means that d fits: s - d is below
d, so the subtraction modulo 2**width is exact.

The remainder by 0 is the number itself. With that the steps are right for every divisor: 0 always
fits and takes nothing away, so a register has the lowest bits of the number in the end.
"""

from __future__ import annotations

from romproof.symbolic.terms.compare import ult
from romproof.symbolic.terms.linear import bounds, difference, opposite
from romproof.symbolic.terms.logic import and_
from romproof.symbolic.terms.node import (
    AND,
    CONCAT,
    CONST,
    EXTRACT,
    REM,
    SUM,
    ULT,
    XOR,
    Term,
    const,
    make,
)
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import concat, extract, flip, zext
from romproof.symbolic.terms.sums import sub


def rem(a: Term, b: Term) -> Term:
    """The remainder of a division, both without sign; by 0 it is the number."""
    width = a.width
    if a.high < b.low or not b.high:
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
    high = min(number.high, divisor.high - 1) if divisor.low else number.high
    if not high:
        return const(0, width)
    return zext(make(REM, high.bit_length(), (number, divisor), 0, high), width)


def _short(term: Term) -> Term:
    """The term without the zeros above it."""
    return extract(term, 0, max(1, term.high.bit_length()))


def step(condition: Term, then: Term, otherwise: Term) -> Term | None:
    """The remainder, or some bits of it, that a choice is a step of: ``then`` where the condition
    holds."""
    if SUM in (then.op, otherwise.op):
        if otherwise.op is SUM:
            simpler = _step(condition, then, otherwise)
        else:
            simpler = _step(flip(condition), otherwise, then)
        if simpler is not None:
            return simpler
    for less, kept, reduced in (
        (condition, then, otherwise),
        (flip(condition), otherwise, then),
    ):
        sums = reduced.args[0] if reduced.op is EXTRACT else reduced
        if sums.op is SUM and (simpler := _part_of_step(less, kept, reduced)) is not None:
            return simpler
    return None


def _part_of_step(less: Term, kept: Term, reduced: Term) -> Term | None:
    """Some bits of a remainder, of which a register has no more: the state and the divisor are
    those that the condition compares."""
    compared = _match_comparison(less)
    if compared is None:
        return None
    state, divisor = compared
    number = state
    if state.high >= 2 * max(1, divisor.low):
        before = _before(state, divisor)
        if before is None:
            return None
        number = concat(before, extract(state, 0, 1))
        if number is not state and (
            number.width <= state.width
            or divisor.width > state.width
            or extract(number, 0, state.width) is not state
        ):
            return None
    smaller = ult(*_together(state, divisor))
    if number is not state:
        smaller = and_(smaller, flip(extract(number, state.width, 1)))
    if less is not smaller:
        return None
    for place in range(0, max(state.width, divisor.width), 8):
        end = place + kept.width
        if number is not state and end > state.width:
            return None
        one, other = (_fit(term, end) for term in (state, divisor))
        if extract(one, place, kept.width) is not kept:
            continue
        if extract(sub(one, other), place, kept.width) is reduced:
            return extract(_fit(rem(number, divisor), end), place, kept.width)
    return None


def _match_comparison(less: Term) -> tuple[Term, Term] | None:
    """The state and the divisor of the one comparison in a condition that the state is less."""
    for part in less.args if less.op is AND else (less,):
        inner = flip(part) if part.op is XOR else part
        if inner.op is not ULT:
            continue
        factors, number = difference(inner)
        if inner is not part:
            factors, number = opposite(factors, number)
        if number:
            return None
        more = {term: factor for term, factor in factors.items() if factor > 0}
        fewer = {term: -factor for term, factor in factors.items() if factor < 0}
        if not more or not fewer:
            return None
        state, divisor = (
            RULES.of_form(max(1, bounds(form, 0)[1].bit_length()), form, 0)
            for form in (more, fewer)
        )
        return state, _short(divisor)
    return None


def _together(one: Term, other: Term) -> tuple[Term, Term]:
    width = max(one.width, other.width)
    return zext(one, width), zext(other, width)


def _fit(term: Term, width: int) -> Term:
    return extract(term, 0, width) if width <= term.width else zext(term, width)


def _step(less: Term, state: Term, reduced: Term) -> Term | None:
    """The remainder, where a state below the divisor is kept and any other is reduced by it."""
    width = state.width
    divisor = sub(state, reduced)
    if divisor.op is SUM or not divisor.high:
        return None
    if state.high < 2 * max(1, divisor.low) and less is ult(state, divisor):
        return rem(state, divisor)
    before = _before(state, _short(divisor))
    if before is None:
        return None
    number = concat(before, extract(state, 0, 1))
    smaller = ult(state, divisor)
    if number.width > width:
        # with a divisor of up to ``width`` bits that is not 0, only this bit can be set above
        smaller = and_(smaller, flip(extract(number, width, 1)))
        same = extract(number, 0, width) is state
    else:
        same = zext(number, width) is state
    if not same or less is not smaller:
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
