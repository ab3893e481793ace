"""Comparisons of unsigned numbers."""

from __future__ import annotations

from collections.abc import Mapping

from romproof.symbolic.terms.carry import Carry, carry_in
from romproof.symbolic.terms.linear import Factors, bounds, collect, sort_terms, zeros
from romproof.symbolic.terms.logic import and_, or_, xor
from romproof.symbolic.terms.node import (
    AND,
    CONCAT,
    CONST,
    EQ,
    EXTRACT,
    FALSE,
    HERE,
    ITE,
    LOOKUP,
    REM,
    SUM,
    TRUE,
    ULT,
    XOR,
    Term,
    const,
    make,
)
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import align, flip, whole, zext


def ult(a: Term, b: Term) -> Term:
    """One bit: is the first less, both unsigned?"""
    if a.high < b.low:
        return TRUE
    if a.low >= b.high or a is b:
        return FALSE
    if _is_remainder(a, b):
        return flip(eq(b, const(0, b.width)))
    return less(*collect([(1, a), (-1, b)], 0, 0))


def _is_remainder(a: Term, b: Term) -> bool:
    """Whether a value is number % b, or has its lowest bits, as many as b has: it is less than b,
    unless b is 0."""
    rest = a.args[-1] if a.op is CONCAT and len(a.args) == 2 and not a.args[0].high else a
    whole = rest.args[0] if rest.op is EXTRACT and not rest.number else rest
    if whole.op is not REM:
        return False
    divisor = whole.args[1]
    return divisor.width <= rest.width and zext(divisor, max(divisor.width, b.width)) is b


def less(factors: Mapping[Term, int], number: int) -> Term:
    """One bit: is a form of integers negative?"""
    low, high = bounds(factors, number)
    if high < 0:
        return TRUE
    if low >= 0:
        return FALSE
    form = dict(factors)
    opposite = {term: -factor for term, factor in form.items()}
    carry = carry_in(form)
    if carry is not None:
        return less(*_merge(carry, form, number))
    carry = carry_in(opposite)
    if carry is not None:
        return flip(less(*_merge(carry, opposite, -number - 1)))
    if form[sort_terms(form)[0]] < 0:
        return flip(less(opposite, -number - 1))
    high_part = _high_part(form, number)
    return _less(form, number) if high_part is None else less(*high_part)


def _merge(carry: Carry, form: Factors, number: int) -> tuple[Factors, int]:
    """One form of a form and of that whose carry is in it; it has the same sign."""
    rest = [(f << carry.place, term) for term, f in form.items() if term is not carry.term]
    inner = [(f, term) for term, f in carry.factors.items()]
    return collect(rest + inner, carry.number + ((number + carry.more) << carry.place), 0)


def _high_part(form: Factors, number: int) -> tuple[Factors, int] | None:
    """The form without low parts that cannot change its sign."""
    for place in sorted({zeros(factor) for factor in form.values()}, reverse=True):
        if not place:
            continue
        lower = {term: factor for term, factor in form.items() if zeros(factor) < place}
        low, high = bounds(lower, number % (1 << place))
        if low >= 0 and high < 1 << place:
            rest = {term: factor >> place for term, factor in form.items() if term not in lower}
            return rest, number >> place
    return None


def _less(form: Factors, number: int) -> Term:
    if len(form) == 1:
        term, factor = next(iter(form.items()))
        term = whole(term)
        limit = -(number // factor)
        if limit == term.low + 1:
            return eq(term, const(term.low, term.width))
        if limit == term.high:
            return flip(eq(term, const(term.high, term.width)))
        return make(ULT, 1, (term, const(limit, term.width)), 0, 1)
    more = {term: factor for term, factor in form.items() if factor > 0}
    fewer = {term: -factor for term, factor in form.items() if factor < 0}
    sides = (more, max(number, 0)), (fewer, max(-number, 0))
    width = max(bounds(*side)[1] for side in sides).bit_length()
    args = tuple(RULES.of_form(width, *side) for side in sides)
    return make(ULT, 1, args, 0, 1)


# ---------------------------------------------------------------- equality


def eq(a: Term, b: Term) -> Term:
    """One bit: are they the same?"""
    if a is b:
        return TRUE
    if a.high < b.low or b.high < a.low:
        return FALSE
    if a.width == 1:
        return flip(xor(a, b))
    if a.op is CONST:
        a, b = b, a
    if a.op is SUM or b.op is SUM:
        if _differ(a, b):
            return FALSE
        return _eq_form(a.width, *collect([(1, a), (-1, b)], 0, a.width))
    if a.op is CONCAT or b.op is CONCAT:
        fields = [term.args if term.op is CONCAT else (term,) for term in (a, b)]
        pairs = list(align(*fields))
        if any(_differ(one, other) for one, other in pairs):
            return FALSE
        equal = TRUE
        for one, other in pairs:
            equal = and_(equal, eq(one, other))
            if equal is FALSE:
                break
        if equal.op in (AND, XOR, EQ):  # the carries into what is left came from what is gone
            HERE.terms.equations.setdefault(equal, (a, b))
        return equal
    for one, other in ((a, b), (b, a)):
        if one.op is ITE and (other.op is CONST or other in one.args[1:]):
            condition, then, otherwise = one.args
            if other in (then, otherwise) or CONST in (then.op, otherwise.op):
                return RULES.choice(condition, eq(then, other), eq(otherwise, other))
    if a.op is XOR or b.op is XOR:
        return _eq_xor(xor(a, b))
    if b.op is CONST:
        known = _eq_const(a, b)
        if known is not None:
            return known
    return _make(a, b)


def _differ(a: Term, b: Term) -> bool:
    """Whether there is plainly a constant between two terms."""
    if a.op is SUM and b.op is SUM:
        return a.args == b.args and a.factors == b.factors and a.number != b.number
    if b.op is SUM:
        a, b = b, a
    if a.op is SUM:
        return a.args == (b,) and a.factors == (1,)
    return a.op is CONST and b.op is CONST and a is not b


def _make(a: Term, b: Term) -> Term:
    if b.op is not CONST and a.serial > b.serial:
        a, b = b, a
    return make(EQ, 1, (a, b), 0, 1)


def _eq_xor(difference: Term) -> Term:
    """Is it 0?"""
    zero = const(0, difference.width)
    joined = HERE.terms.ors.get(difference)
    if joined is not None:
        one, other = joined
        return and_(eq(one, zero), eq(other, zero))
    if difference.op is not XOR:
        return eq(difference, zero)
    if len(difference.args) == 1:
        return eq(difference.args[0], const(difference.number, difference.width))
    if len(difference.args) == 2 and not difference.number:
        return _make(*difference.args)
    rest = xor(difference, const(difference.number, difference.width))
    return _make(rest, const(difference.number, difference.width))


def _eq_const(a: Term, b: Term) -> Term | None:
    if a is not whole(a):
        return eq(whole(a), const(b.number, whole(a).width))
    if a.op is AND and b.number == (1 << a.width) - 1:
        equal = TRUE
        for arg in a.args:
            equal = and_(equal, eq(arg, b))
        return equal
    if a.op is LOOKUP:
        index = a.args[0]
        places = [n for n in range(index.low, index.high + 1) if a.table[n] == b.number]
        if not places:
            return FALSE
        if len(places) <= 2:
            equal = FALSE
            for place in places:
                equal = or_(equal, eq(index, const(place, index.width)))
            return equal
    return None


def _eq_form(width: int, factors: Factors, number: int) -> Term:
    """Is a form 0, modulo 2**width?"""
    if not factors:
        return const(not number, 1)
    shift = min(zeros(factor) for factor in factors.values())
    if number & (1 << shift) - 1:
        return FALSE
    width -= shift
    factors = {term: factor >> shift for term, factor in factors.items()}
    number >>= shift
    if len(factors) == 1:
        term, factor = next(iter(factors.items()))
        size = 1 << width
        value = -number * pow(factor, -1, size) % size
        return const(0, 1) if value >> term.width else eq(term, const(value, term.width))
    ordered = sort_terms(factors)
    if len(factors) == 2 and not number and sum(factors.values()) == 0 and 1 in factors.values():
        wide = max(term.width for term in ordered)
        one, other = (zext(term, wide) for term in ordered)
        return _make(one, other) if SUM in (one.op, other.op) else eq(one, other)
    if factors[ordered[0]] < 0:
        factors = {term: -factor for term, factor in factors.items()}
        number = -number
    total = RULES.of_form(width, factors, 0)
    value = -number % (1 << width)
    if not total.low <= value <= total.high:
        return FALSE
    number_term = const(value, width)
    return _make(total, number_term) if total.op is SUM else eq(total, number_term)
