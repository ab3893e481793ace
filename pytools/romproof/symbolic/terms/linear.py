"""Sums as numbers: what is added how many times.

A form is a dict of terms with their factors, and a number. Modulo 2**width the factors are
signed, at most half of that in size; with width 0 the form is one of integers, which never wrap.
Here forms are brought together from terms; ``romproof.symbolic.terms.sums`` makes terms of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from romproof.symbolic.terms.node import (
    CONCAT,
    CONST,
    EXTRACT,
    HERE,
    SUM,
    TRUE,
    ULT,
    XOR,
    Term,
    apart,
    runs,
)
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import PUSHED, extract, flip, is_choice, join

Factors = dict[Term, int]

LONGEST = 512
"""Args of one SUM; with more, a sum in a sum stays an arg as it is."""


def to_signed(factor: int, width: int) -> int:
    """The factor of least size, modulo 2**width."""
    if not width:
        return factor
    factor &= (1 << width) - 1
    return factor - (1 << width) if factor > 1 << width - 1 else factor


def zeros(number: int) -> int:
    """How many low bits are 0; not for 0 itself."""
    return (number & -number).bit_length() - 1


def bounds(factors: Mapping[Term, int], number: int) -> tuple[int, int]:
    """The least and the greatest value of a form of integers."""
    low = high = number
    for term, factor in factors.items():
        if factor > 0:
            low, high = low + factor * term.low, high + factor * term.high
        else:
            low, high = low + factor * term.high, high + factor * term.low
    return low, high


def as_integers(
    factors: Mapping[Term, int], number: int, width: int, least: int
) -> tuple[Factors, int] | None:
    """The same form over the integers, if its values always lie in ``least``..``least + 2**width
    - 1``: a window of that size has each value modulo 2**width once, so the two are equal."""
    size = 1 << width
    for form in (dict(factors), {term: f % size for term, f in factors.items()}):
        low, high = bounds(form, 0)
        start = least - low + (number + low - least) % size
        if high + start < least + size:
            return form, start
    return None


def lift(term: Term) -> tuple[Factors, int] | None:
    """A SUM as a form of integers; None when it can wrap around."""
    known = HERE.terms.lifted
    if term not in known:
        width = term.width
        factors = {a: to_signed(f, width) for a, f in zip(term.args, term.factors, strict=True)}
        known[term] = apart(lambda: as_integers(factors, term.number, width, 0))
    return known[term]


def collect(work: list[tuple[int, Term]], number: int, width: int) -> tuple[Factors, int]:
    """The form of terms, each with its factor, and a number."""
    factors: Factors = {}
    while True:
        while work:
            factor, term = work.pop()
            factor = to_signed(factor, width)
            if factor:
                number += _split(factor, term, width, factors, work)
        for term, factor in list(factors.items()):
            factor = factors[term] = to_signed(factor, width)
            if not factor:
                del factors[term]
            elif width and term.width > width - zeros(factor):
                del factors[term]
                work.append((factor, term))
        if not work:
            work = _join(factors, width)
        if not work:
            return factors, number & (1 << width) - 1 if width else number


def _split(
    factor: int, term: Term, width: int, factors: Factors, work: list[tuple[int, Term]]
) -> int:
    """Adds a term to the factors, or its parts to the work; gives its constant part."""
    if term.op is CONST:
        return factor * term.number
    room = width - zeros(factor) if width else term.width + 1
    if term.width > room:
        work.append((factor, extract(term, 0, room)))
    elif term.op is CONCAT:
        at = 0
        for part in reversed(term.args):
            work.append((factor << at, part))
            at += part.width
    elif is_choice(term):
        condition, then, otherwise = term.args
        work.append((factor * (then.number - otherwise.number), condition))
        return factor * otherwise.number
    elif term.op is XOR and term.number:
        return sum_of_inverted(factor, term, factors, work)
    elif term.op is SUM and len(factors) + len(term.args) <= LONGEST:
        parts = (dict(zip(term.args, term.factors, strict=True)), term.number)
        exact = parts if term.width == room else lift(term)
        if exact is None:
            factors[term] = factors.get(term, 0) + factor
            return 0
        work += [(factor * inner, arg) for arg, inner in exact[0].items()]
        return factor * exact[1]
    elif term.op is EXTRACT and (whole := _whole(term)) is not None and whole.width <= room:
        factors[whole] = factors.get(whole, 0) + factor
        return -factor * (whole.low >> term.width << term.width)
    else:
        factors[term] = factors.get(term, 0) + factor
    return 0


def _whole(part: Term) -> Term | None:
    """The term whose unknown bits are all in the slice: it is the slice plus a constant."""
    whole = part.args[0]
    if part.number or whole.op in PUSHED or whole.low >> part.width != whole.high >> part.width:
        return None
    return whole


def sum_of_inverted(factor: int, term: Term, factors: Factors, work: list[tuple[int, Term]]) -> int:
    """Inverted bits, as a sum: an inverted number of n bits is 2**n - 1 - x."""
    if term.width == 1:
        work.append((-factor, flip(term)))
        return factor
    if len(term.args) > 1:
        factors[term] = factors.get(term, 0) + factor
        return 0
    at = total = 0
    for bit, count in runs(term.number, term.width):
        part = extract(term.args[0], at, count)
        if bit:
            total += factor * (((1 << count) - 1) << at)
        work.append(((-factor if bit else factor) << at, part))
        at += count
    return total


def _join(factors: Factors, width: int) -> list[tuple[int, Term]]:
    """Take out two terms that are parts of one, and return what to add for them.

    f * low + f * 2**w * high = f * (high:low), where ``low`` has w bits.
    """
    lower: dict[int, list[Term]] = {}
    for term, factor in factors.items():
        above = to_signed(factor << term.width, width)
        if above:
            lower.setdefault(above, []).append(term)
    for term, factor in factors.items():
        if term.op is ULT:
            work = _with_borrow(term, factor, factors, lower, width)
            if work:
                return work
        elif term.args:
            for low in lower.get(factor, ()):
                joined = join(term, low) if low is not term else None
                if joined is not None and (
                    joined.op is not CONCAT or joined.args[-1].width > low.width
                ):
                    times = factors.pop(low)
                    del factors[term]
                    return [(times, joined)]
    return []


def _with_borrow(
    less: Term, factor: int, factors: Factors, lower: Mapping[int, list[Term]], width: int
) -> list[tuple[int, Term]]:
    """The same for an ULT and the w bits ``low`` below it, of a form -2**w <= d < 2**w.

    low = d + 2**w * [d < 0], so f * low - f * 2**w * [d < 0] = f * d. Of the opposite form the
    ULT is 1 - [d < 0], so f * low + f * 2**w * ULT = f * (d + 2**w). The signs must match.
    """
    for above in (factor, to_signed(-factor, width)):
        for low in lower.get(above, ()):
            joined = borrow(less, low)

            if joined is not None and joined[2] is (above == factor):
                inner, number, is_opposite = joined
                times = factors.pop(low)
                del factors[less]
                number += is_opposite << low.width
                return [(times * number, TRUE), *((times * f, arg) for arg, f in inner.items())]
    return []


# ---------------------------------------------------------------- borrows


def difference(less: Term) -> tuple[Factors, int]:
    """The form of integers that is negative where an ULT is 1."""
    known = HERE.terms.differences
    if less not in known:
        work = [(1, less.args[0]), (-1, less.args[1])]
        known[less] = apart(lambda: collect(work, 0, 0))
    return known[less]


def opposite(factors: Mapping[Term, int], number: int) -> tuple[Factors, int]:
    """The form that is negative just where the given one is not."""
    return {term: -factor for term, factor in factors.items()}, -number - 1


def borrow(less: Term, low: Term) -> tuple[Factors, int, bool] | None:
    """The form whose sign is an ULT and whose other bits are ``low`` (two's complement).

    True with it when it is the opposite form, negative where the ULT is 0. None: there is none.
    """
    inner = difference(less)
    size = 1 << low.width
    for (factors, number), is_opposite in ((inner, False), (opposite(*inner), True)):
        least, most = bounds(factors, number)
        if -size <= least and most < size and RULES.of_form(low.width, factors, number) is low:
            return factors, number, is_opposite
    return None


def bits_for(low: int, high: int) -> int:
    """The least n with -2**n <= low and high < 2**n."""
    return max(high.bit_length() if high >= 0 else 0, (~low).bit_length() if low < 0 else 0)


def sort_terms(factors: Iterable[Term]) -> list[Term]:
    """In the order of making."""
    return sorted(factors, key=lambda term: term.serial)
