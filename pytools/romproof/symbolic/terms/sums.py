"""Sums, differences and products, in one normal form however they were computed.

A sum of bytes plus the carry from the byte below is a part of the sum of words, and a difference
with its borrow likewise (see ``carry``). All carries are comparisons (ULT).
"""

from __future__ import annotations

from collections.abc import Mapping

from romproof.symbolic.terms.carry import carry_in, find_wrap
from romproof.symbolic.terms.compare import less
from romproof.symbolic.terms.linear import (
    Factors,
    as_integers,
    bits_for,
    borrow,
    bounds,
    collect,
    lift,
    sort_terms,
    to_signed,
    zeros,
)
from romproof.symbolic.terms.logic import not_, xor
from romproof.symbolic.terms.node import (
    CONCAT,
    CONST,
    EXTRACT,
    MUL,
    SUM,
    ULT,
    XOR,
    Term,
    const,
    make,
)
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import choose, concat, extract, flip, is_choice, zext


def total(width: int, work: list[tuple[int, Term]], number: int = 0) -> Term:
    """The sum of terms, each with its factor, and a number."""
    return _make(width, *collect(work, number, width))


def of_form(width: int, factors: Mapping[Term, int], number: int) -> Term:
    """The term of a form."""
    return total(width, [(factor, term) for term, factor in factors.items()], number)


def add(a: Term, b: Term) -> Term:
    """The sum; it wraps around."""
    if a.op is CONST and b.op is CONST:
        return const(a.number + b.number, a.width)
    return total(a.width, [(1, a), (1, b)])


def sub(a: Term, b: Term) -> Term:
    """The difference; it wraps around."""
    return total(a.width, [(1, a), (-1, b)])


def _make(width: int, factors: Factors, number: int) -> Term:
    """The term of a form as ``collect`` gives it."""
    if not factors:
        return const(number, width)
    if width == 1:
        parity = const(number, 1)
        for term in factors:
            parity = xor(parity, term)
        return parity
    shift = min(zeros(factor) for factor in factors.values())
    if shift and not number & (1 << shift) - 1:
        inner = {term: factor >> shift for term, factor in factors.items()}
        return concat(of_form(width - shift, inner, number >> shift), const(0, shift))
    if len(factors) == 1:
        single = _single(width, *next(iter(factors.items())), number)
        if single is not None:
            return single
    exact = as_integers(factors, number, width, 0)
    low, high = (0, (1 << width) - 1) if exact is None else bounds(*exact)
    same = (low ^ high).bit_length()
    if same < width:  # the high bits are the same for all values
        inner_sum = of_form(same, factors, number) if same else None
        top = const(high >> same, width - same)
        return top if inner_sum is None else concat(top, inner_sum)
    return (
        _split(width, factors, number)
        or _with_wrapped(width, factors, number)
        or _with_carry(width, factors, number)
        or _sum(width, factors, number, low, high)
    )


def _sum(width: int, factors: Factors, number: int, low: int, high: int) -> Term:
    args = tuple(sort_terms(factors))
    top = (1 << width) - 1
    return make(
        SUM, width, args, low, high, number, factors=tuple(factors[arg] & top for arg in args)
    )


def _single(width: int, term: Term, factor: int, number: int) -> Term | None:
    if term.width == 1:
        return choose(term, number + factor, number, width)
    if factor == 1 and not number:
        return zext(term, width)
    if factor == -1 and number == (1 << width) - 1 and term.width == width and term.op is not SUM:
        return not_(term)
    return None


def _split(width: int, factors: Factors, number: int) -> Term | None:
    """The sum in two parts side by side, where nothing is carried from one to the other.

    Each factor is q * 2**place + r, r of the same sign. Where the sum of the r parts always lies
    in 0..2**place - 1, it is the low part and the sum of the q parts is the high one.
    """
    for place in _places(width, factors, number):
        mask = (1 << place) - 1
        lower: Factors = {}
        least = most = number & mask
        for term, factor in factors.items():
            part = factor & mask if factor > 0 else -(-factor & mask)
            if part:
                lower[term] = part
                least += part * (term.low if part > 0 else term.high)
                most += part * (term.high if part > 0 else term.low)
        alone = len(lower) == 1 and not number & mask
        if least >= 0 and most <= mask:
            below, more = of_form(place, lower, number & mask), []
        elif alone and 1 in lower.values() and (term := next(iter(lower))).width > place:
            below, more = extract(term, 0, place), [(1, extract(term, place, term.width - place))]
        else:
            continue
        above = [((f - lower.get(t, 0)) >> place, t) for t, f in factors.items()]
        return concat(total(width - place, above + more, number >> place), below)
    return None


def _places(width: int, factors: Factors, number: int) -> list[int]:
    """Where a sum may be cut: where a summand begins, and where it may end."""
    counts = {zeros(number)} if number else set()
    for term, factor in factors.items():
        size = abs(factor)
        first = zeros(size)
        counts.add(first)
        rest = size >> first + term.width << first + term.width
        if rest:
            counts.add(zeros(rest))
    return sorted(place for place in counts if 0 < place < width)


def _with_carry(width: int, factors: Factors, number: int) -> Term | None:
    """A sum with the carry of another is the high part of one sum of both.

    S + (form >> p) = (form + (S << p)) >> p: a multiple of 2**p passes through the shift.
    """
    carry = carry_in(factors)
    if carry is None or width + carry.place > WIDEST:
        return None
    work = [(f, t) for t, f in carry.factors.items()]
    work += [(f << carry.place, t) for t, f in factors.items() if t is not carry.term]
    inner = carry.number + ((number + carry.more) << carry.place)
    return extract(total(width + carry.place, work, inner), carry.place, width)


def _with_wrapped(width: int, factors: Factors, number: int) -> Term | None:
    """The same of a sum that wraps around, of which the carry is as well."""
    both = find_wrap(factors, width)
    if both is None or both.whole.width > WIDEST:
        return None
    place = both.place
    left = {t: f for t, f in factors.items() if t not in (both.high, both.bit)}
    work = [(1, both.whole), *((f << place, t) for t, f in left.items())]
    return extract(total(place + width, work, both.more + (number << place)), place, width)


WIDEST = 4096
"""Bits of the longest chain of carries that is one sum."""


# ---------------------------------------------------------------- taking, joining, choosing


def take_sum(a: Term, low: int, width: int) -> Term:
    """Bits of a sum, which depend only on the bits of the summands at and below them.

    The highest bit of an exact sum is [sum >= 2**low]; where the sum lies in -2**low..2**low - 1
    instead, that bit is its sign (two's complement).
    """
    end = low + width
    if end < a.width:
        return extract(total(end, list(zip(a.factors, a.args, strict=True)), a.number), low, width)
    exact = lift(a)
    factors = {term: to_signed(f, end) for term, f in zip(a.args, a.factors, strict=True)}
    if width == 1:
        if exact is not None:
            return flip(less(exact[0], exact[1] - (1 << low)))
        negative = as_integers(factors, a.number, end, -1 << low)
        if negative is not None:
            return less(*negative)
    closer = _closer(factors, a.number, low, width)
    if closer is not None:
        return closer
    least, most = (a.low >> low, a.high >> low) if exact else (0, (1 << width) - 1)
    return make(EXTRACT, width, (a,), least, most, number=low)


def _closer(factors: Factors, number: int, low: int, width: int) -> Term | None:
    """The high bits of a sum, without the gap of free places below them.

    The summands from ``place`` on are A * 2**place; the rest r lies in -2**n..2**n - 1 with
    n < place. Then r >> place = r >> n (0 or -1), so (A * 2**place + r) >> place
    = (A * 2**n + r) >> n: everything above moves down by place - n.
    """
    by_place = [(zeros(factor), factor, term) for term, factor in factors.items()]
    by_place.sort(key=lambda entry: entry[0])
    least = most = 0  # of what is below a place, without the number
    last = 0
    for place, factor, term in by_place:
        if place > last and 0 < place <= low:
            inner, needed = _nearest(number, place, least, most)
            if needed < place:
                gap = place - needed
                work = [(f if p < place else f >> gap, t) for p, f, t in by_place]
                more = inner + ((number - inner) >> gap)
                return extract(total(low + width - gap, work, more), low - gap, width)
        last = place
        least += factor * (term.low if factor > 0 else term.high)
        most += factor * (term.high if factor > 0 else term.low)
    return None


def _nearest(number: int, place: int, least: int, most: int) -> tuple[int, int]:
    """The part of the number below a place, perhaps negative, that keeps least..most closest to
    0; and the bits that are then needed."""
    size = 1 << place
    candidates = [
        (bits_for(least + inner, most + inner), inner)
        for inner in (number % size, number % size - size)
    ]
    needed, inner = min(candidates)
    return inner, needed


def join_carry(high: Term, low: Term) -> Term | None:
    """A carry and the sum of w bits below it: with -2**w <= d < 2**w, the bit [d < 0] above
    d modulo 2**w is d modulo 2**(w + 1). An inverted carry adds 2**w."""
    carry = flip(high) if high.op is XOR and high.width == 1 and high.number else high
    if carry.op is not ULT:
        return None
    joined = borrow(carry, low)
    if joined is None:
        return None
    factors, number, is_opposite = joined
    more = (carry is high) is is_opposite
    return of_form(low.width + 1, factors, number + (more << low.width))


def join_inverted(high: Term, low: Term) -> Term | None:
    """A sum with a bit in it, and below it the same bit inverted, with others behind it maybe:
    2 * (d + b) + (1 - b) = 2 * d + b + 1."""
    if high.op is not SUM or low.op is not XOR:
        return None
    bit = flip(extract(low, low.width - 1, 1))
    factors = dict(zip(high.args, high.factors, strict=True))
    if factors.get(bit) != 1:
        return None
    work = [(f << (t is not bit), t) for t, f in factors.items()]
    joined = total(high.width + 1, work, 2 * high.number + 1)
    return joined if low.width == 1 else concat(joined, extract(low, 0, low.width - 1))


def invert_sum(a: Term, number: int) -> Term:
    """A sum with the bits of ``number`` inverted: its highest, all, or all others.

    Inverting all bits is -a - 1; inverting the highest is adding 2**(width - 1).
    """
    half = 1 << a.width - 1
    factor, more = (-1, -1) if number & 1 else (1, 0)
    return total(a.width, [(factor, a)], more + (half if number in (half, half - 1) else 0))


def chosen_sum(condition: Term, then: Term, otherwise: Term) -> Term | None:
    """A choice between two sums that differ by a constant: ``otherwise + step * condition``."""
    step = sub(then, otherwise)
    if step.op is not CONST:
        return None
    return total(then.width, [(1, otherwise), (to_signed(step.number, then.width), condition)])


# ---------------------------------------------------------------- products


def mul(a: Term, b: Term) -> Term:
    """The product; it wraps around."""
    if a.op is CONST:
        a, b = b, a
    if b.op is CONST:
        return total(a.width, [(b.number, a)])
    return product(a.width, a, b)


def product(width: int, a: Term, b: Term) -> Term:
    """The product of two terms, perhaps narrower ones."""
    one, other = (_without_zeros(extract(term, 0, min(term.width, width))) for term in (a, b))
    needed = (one.high * other.high).bit_length()
    if needed < width:
        return zext(product(needed, one, other), width) if needed else const(0, width)
    if one.serial > other.serial:
        one, other = other, one
    for bit, value in ((one, other), (other, one)):
        if bit.op is CONST:
            return total(width, [(bit.number, value)])
        if bit.width == 1:
            return RULES.choice(bit, zext(value, width), const(0, width))
    shift = _zeros_below(one) + _zeros_below(other)
    if shift >= width:
        return const(0, width)
    if shift:
        ones, others = (extract(t, z := _zeros_below(t), t.width - z) for t in (one, other))
        return concat(product(width - shift, ones, others), const(0, shift))
    fits = one.high * other.high < 1 << width
    low, high = (one.low * other.low, one.high * other.high) if fits else (0, (1 << width) - 1)
    return make(MUL, width, (one, other), low, high)


def _without_zeros(term: Term) -> Term:
    """What a term is without the zeros above it."""
    zeros_only = term.op is CONCAT and term.args[0].op is CONST and not term.args[0].number
    if zeros_only or is_choice(term):
        return extract(term, 0, max(1, term.high.bit_length()))
    return term


def _zeros_below(term: Term) -> int:
    """How many low bits are 0 for sure."""
    low = term.args[-1] if term.op is CONCAT else term
    return low.width if low.op is CONST and not low.number else 0


def take_product(a: Term, low: int, width: int) -> Term:
    """Bits of a product."""
    if low + width < a.width:
        return extract(product(low + width, *a.args), low, width)
    return make(EXTRACT, width, (a,), a.low >> low, a.high >> low, number=low)
