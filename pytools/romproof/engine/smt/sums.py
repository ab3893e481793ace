"""Sums, differences and products, in one form whatever the way they were computed.

A sum of bytes with the carry of the byte below is the part of the sum of words; so is the
difference with its borrow. All carries are comparisons (ULT).
"""

from __future__ import annotations

from collections.abc import Mapping

from romproof.engine.smt.carry import carry_in
from romproof.engine.smt.compare import less
from romproof.engine.smt.hooks import CHOICE, CHOSEN_SUM, INVERTED_SUM, JOIN, OF_FORM, TAKE
from romproof.engine.smt.linear import (
    Factors,
    as_integers,
    bits_for,
    borrowed,
    bounds,
    collected,
    lifted,
    signed,
    sorted_terms,
    zeros,
)
from romproof.engine.smt.logic import not_, xor
from romproof.engine.smt.node import CONCAT, CONST, EXTRACT, MUL, SUM, ULT, XOR, Term, const, make
from romproof.engine.smt.slices import choose, concat, extract, flipped, is_choice, zext


def total(width: int, work: list[tuple[int, Term]], number: int = 0) -> Term:
    """The sum of terms, each with its factor, and a number."""
    return _made(width, *collected(work, number, width))


def of_form(width: int, factors: Mapping[Term, int], number: int) -> Term:
    """The term of a form."""
    return total(width, [(factor, term) for term, factor in factors.items()], number)


OF_FORM.append(of_form)


def add(a: Term, b: Term) -> Term:
    """The sum; it wraps around."""
    if a.op is CONST and b.op is CONST:
        return const(a.number + b.number, a.width)
    return total(a.width, [(1, a), (1, b)])


def sub(a: Term, b: Term) -> Term:
    """The difference; it wraps around."""
    return total(a.width, [(1, a), (-1, b)])


def _made(width: int, factors: Factors, number: int) -> Term:
    """The term of a form as ``collected`` gives it."""
    if not factors:
        return const(number, width)
    if width == 1:
        found = const(number, 1)
        for term in factors:
            found = xor(found, term)
        return found
    shift = min(zeros(factor) for factor in factors.values())
    if shift and not number & (1 << shift) - 1:
        inner = {term: factor >> shift for term, factor in factors.items()}
        return concat(of_form(width - shift, inner, number >> shift), const(0, shift))
    if len(factors) == 1:
        found_single = _single(width, *next(iter(factors.items())), number)
        if found_single is not None:
            return found_single
    exact = as_integers(factors, number, width, 0)
    low, high = (0, (1 << width) - 1) if exact is None else bounds(*exact)
    same = (low ^ high).bit_length()
    if same < width:  # the high bits are the same for all values
        inner_sum = of_form(same, factors, number) if same else None
        top = const(high >> same, width - same)
        return top if inner_sum is None else concat(top, inner_sum)
    return (
        _split(width, factors, number)
        or _with_carry(width, factors, number)
        or _sum(width, factors, number, low, high)
    )


def _sum(width: int, factors: Factors, number: int, low: int, high: int) -> Term:
    args = tuple(sorted_terms(factors))
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
    """The sum in two parts side by side, where nothing is carried from one to the other."""
    places = {zeros(number)} if number else set()
    for term, factor in factors.items():
        size = abs(factor)
        first = zeros(size)
        places.add(first)
        rest = size >> first + term.width << first + term.width
        if rest:
            places.add(zeros(rest))
    for place in sorted(places):
        if not 0 < place < width:
            continue
        mask = (1 << place) - 1
        lower: Factors = {}
        higher: Factors = {}
        for term, factor in factors.items():
            part = abs(factor) & mask
            part = part if factor > 0 else -part
            if part:
                lower[term] = part
            if factor != part:
                higher[term] = (factor - part) >> place
        low, high = bounds(lower, number & mask)
        if low >= 0 and high <= mask:
            return concat(
                of_form(width - place, higher, number >> place),
                of_form(place, lower, number & mask),
            )
        if len(lower) == 1 and not number & mask:
            term, factor = next(iter(lower.items()))
            if factor == 1 and term.width > place:
                work = [(f, t) for t, f in higher.items()]
                work.append((1, extract(term, place, term.width - place)))
                return concat(total(width - place, work, number >> place), extract(term, 0, place))
    return None


def _with_carry(width: int, factors: Factors, number: int) -> Term | None:
    """A sum with the carry of another is the high part of one sum of both."""
    found = carry_in(factors)
    if found is None or width + found.place > WIDEST:
        return None
    work = [(f, t) for t, f in found.factors.items()]
    work += [(f << found.place, t) for t, f in factors.items() if t is not found.term]
    inner = found.number + ((number + found.more) << found.place)
    return extract(total(width + found.place, work, inner), found.place, width)


WIDEST = 4096
"""Bits of the longest chain of carries that is one sum."""


# ---------------------------------------------------------------- taking, joining, choosing


def _take_sum(a: Term, low: int, width: int) -> Term:
    end = low + width
    if end < a.width:
        return extract(total(end, list(zip(a.factors, a.args, strict=True)), a.number), low, width)
    exact = lifted(a)
    factors = {term: signed(f, end) for term, f in zip(a.args, a.factors, strict=True)}
    if width == 1:
        if exact is not None:
            return flipped(less(exact[0], exact[1] - (1 << low)))
        negative = as_integers(factors, a.number, end, -1 << low)
        if negative is not None:
            return less(*negative)
    found = _closer(factors, a.number, low, width)
    if found is not None:
        return found
    least, most = (a.low >> low, a.high >> low) if exact else (0, (1 << width) - 1)
    return make(EXTRACT, width, (a,), least, most, number=low)


def _closer(factors: Factors, number: int, low: int, width: int) -> Term | None:
    """The high bits of a sum do not need the place that lies free below them."""
    places = sorted({zeros(factor) for factor in factors.values()})
    for place in places:
        if not 0 < place <= low:
            continue
        lower = {t: f for t, f in factors.items() if zeros(f) < place}
        size = 1 << place
        best: tuple[int, int] | None = None
        for inner in (number % size, number % size - size):
            needed = bits_for(*bounds(lower, inner))
            if best is None or needed < best[0]:
                best = needed, inner
        if best is None or best[0] >= place:
            continue
        needed, inner = best
        gap = place - needed
        work = [(f if zeros(f) < place else f >> gap, t) for t, f in factors.items()]
        total_number = inner + ((number - inner) >> gap)
        narrow = total(low + width - gap, work, total_number)
        return extract(narrow, low - gap, width)
    return None


TAKE[SUM] = _take_sum


def _join_carry(high: Term, low: Term) -> Term | None:
    """A carry and the sum below it."""
    carry = flipped(high) if high.op is XOR and high.width == 1 and high.number else high
    if carry.op is not ULT:
        return None
    found = borrowed(carry, low)
    if found is None:
        return None
    factors, number, is_opposite = found
    more = (carry is high) is is_opposite
    return of_form(low.width + 1, factors, number + (more << low.width))


JOIN.insert(0, _join_carry)  # before XOR, which would keep the NOT of a carry


def _inverted(a: Term, number: int) -> Term:
    half = 1 << a.width - 1
    factor, more = (-1, -1) if number & 1 else (1, 0)
    return total(a.width, [(factor, a)], more + (half if number in (half, half - 1) else 0))


INVERTED_SUM.append(_inverted)


def _chosen(condition: Term, then: Term, otherwise: Term) -> Term | None:
    step = sub(then, otherwise)
    if step.op is not CONST:
        return None
    return total(then.width, [(1, otherwise), (signed(step.number, then.width), condition)])


CHOSEN_SUM.append(_chosen)


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
            return CHOICE[0](bit, zext(value, width), const(0, width))
    fits = one.high * other.high < 1 << width
    low, high = (one.low * other.low, one.high * other.high) if fits else (0, (1 << width) - 1)
    return make(MUL, width, (one, other), low, high)


def _without_zeros(term: Term) -> Term:
    """What a term is without the zeros above it."""
    zeros_only = term.op is CONCAT and term.args[0].op is CONST and not term.args[0].number
    if zeros_only or is_choice(term):
        return extract(term, 0, max(1, term.high.bit_length()))
    return term


def _take_product(a: Term, low: int, width: int) -> Term:
    if low + width < a.width:
        return extract(product(low + width, *a.args), low, width)
    return make(EXTRACT, width, (a,), a.low >> low, a.high >> low, number=low)


TAKE[MUL] = _take_product
