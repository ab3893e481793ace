"""Bits taken and joined: the two operations all others have to get along with.

What is taken from a term is taken from its args where that is the same (``RULES.take``). Neighbours
in a CONCAT are one term where they are two parts of one (``RULES.join``). So it does not matter
whether a word was computed as a whole or byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from romproof.symbolic.terms.node import (
    AND,
    CONCAT,
    CONST,
    EXTRACT,
    FALSE,
    HERE,
    ITE,
    MUL,
    SUM,
    TRUE,
    XOR,
    Term,
    apart,
    const,
    make,
    runs,
)
from romproof.symbolic.terms.rules import RULES

PUSHED = frozenset((XOR, AND, ITE, SUM, MUL))
"""Operations with an entry in RULES.take."""

DEEPEST_JOIN = 24
"""Neighbours are compared to this depth."""


# ---------------------------------------------------------------- what depends on one bit


def choose(condition: Term, then: int, otherwise: int, width: int) -> Term:
    """One of two constants."""
    top = (1 << width) - 1
    then, otherwise = then & top, otherwise & top
    if condition.op is XOR and condition.number:
        condition, then, otherwise = flip(condition), otherwise, then
    if then == otherwise:
        return const(then, width)
    if condition.op is CONST:
        return const(then if condition.number else otherwise, width)
    if width == 1:
        return condition if then else flip(condition)
    args = (condition, const(then, width), const(otherwise, width))
    return make(ITE, width, args, min(then, otherwise), max(then, otherwise))


def flip(bit: Term) -> Term:
    """The other value of one bit."""
    if bit.op is CONST:
        return FALSE if bit.number else TRUE
    if bit.op is not XOR:
        return make(XOR, 1, (bit,), 0, 1, 1)
    if len(bit.args) == 1:
        return bit.args[0]
    return make(XOR, 1, bit.args, 0, 1, 1 - bit.number)


def is_choice(term: Term) -> bool:
    """Is it one of two constants, as ``choose`` makes it?"""
    return term.op is ITE and term.args[1].op is CONST and term.args[2].op is CONST


def one_bit(term: Term) -> tuple[Term, int, int] | None:
    """(condition, then, otherwise) of what depends on one bit alone."""
    if term.width == 1:
        if term.op is XOR and term.number:
            return flip(term), 0, 1
        return None if term.op is CONST else (term, 1, 0)
    if is_choice(term):
        condition, then, otherwise = term.args
        return condition, then.number, otherwise.number
    return None


def parts(term: Term) -> tuple[Term, ...]:
    """The parts of a CONCAT; of what depends on one bit, its constant and its other parts."""
    if term.op is CONCAT:
        return term.args
    if not is_choice(term):
        return (term,)
    condition, then, otherwise = (term.args[0], term.args[1].number, term.args[2].number)
    pieces: list[Term] = []
    at = 0
    for differs, count in runs(then ^ otherwise, term.width):
        if differs:
            pieces.append(choose(condition, then >> at, otherwise >> at, count))
        else:
            pieces.append(const(then >> at, count))
        at += count
    return tuple(reversed(pieces))


def align(first: Iterable[Term], second: Iterable[Term]) -> Iterator[tuple[Term, Term]]:
    """Two rows of parts of the same width together, cut where either is, the highest first."""
    ones, others = list(reversed(list(first))), list(reversed(list(second)))
    while ones:
        one, other = ones.pop(), others.pop()
        if one.width > other.width:
            rest = one.width - other.width
            ones += parts(extract(one, 0, rest))[::-1]
            cut = parts(extract(one, rest, other.width))
            if len(cut) > 1:
                ones += cut[::-1]
                others.append(other)
                continue
            one = cut[0]
        elif one.width < other.width:
            rest = other.width - one.width
            others += parts(extract(other, 0, rest))[::-1]
            cut = parts(extract(other, rest, one.width))
            if len(cut) > 1:
                others += cut[::-1]
                ones.append(one)
                continue
            other = cut[0]
        yield one, other


# ---------------------------------------------------------------- joining


def concat(*terms: Term) -> Term:
    """The values side by side, the highest bits first."""
    if len(terms) == 1:
        return terms[0]
    flat: list[Term] = []
    for term in terms:
        for part in parts(term):
            flat.append(part)
            while len(flat) > 1:
                joined = join(flat[-2], flat[-1])
                if joined is None:
                    break
                del flat[-2:]
                inner = parts(joined)
                if flat and flat[-1].op is CONST is inner[0].op:  # zeros above other zeros
                    inner = (join(flat.pop(), inner[0]) or inner[0], *inner[1:])
                flat += inner
                if joined.op is CONCAT:
                    break
    if len(flat) == 1:
        return flat[0]
    low = high = width = 0
    conditions: set[Term] = set()
    alone = True  # does it depend on a single bit?
    for part in flat:
        low, high = low << part.width | part.low, high << part.width | part.high
        width += part.width
        if alone and part.op is not CONST:
            bit = one_bit(part)
            if bit is None:
                alone = False
            else:
                conditions.add(bit[0])
    if alone and len(conditions) == 1:
        return _choice_of(flat, conditions.pop(), width)
    return make(CONCAT, width, tuple(flat), low, high)


def _choice_of(flat: list[Term], condition: Term, width: int) -> Term:
    then = otherwise = 0
    for part in flat:
        bit = one_bit(part) or (condition, part.number, part.number)
        then, otherwise = then << part.width | bit[1], otherwise << part.width | bit[2]
    return choose(condition, then, otherwise, width)


def zext(a: Term, width: int) -> Term:
    """The same number in more bits."""
    return a if width == a.width else concat(const(0, width - a.width), a)


def join(high: Term, low: Term) -> Term | None:
    """One term for two neighbours; None when they are not parts of one."""
    if low.op is CONST:
        if high.op is not CONST:
            return None
        return const(high.number << low.width | low.number, high.width + low.width)
    if high.op is CONST:
        return _join_known(high, low)
    if high.op is EXTRACT:
        joined = _join_extract(high, low)
        if joined is not None:
            return joined
    return _join_by_rules(high, low)


def _join_by_rules(high: Term, low: Term) -> Term | None:
    """The first rule that joins two neighbours; rules join what is within these in turn.

    What is found within DEEPEST_JOIN depends on the depth that is left. So a result is kept with
    the depth it used and, where it was cut short, with the depth there was: it is the same
    whatever was joined before.
    """
    terms = HERE.terms
    depth = terms.depth
    room = DEEPEST_JOIN - depth
    known = terms.joined.get((high, low))
    if known is not None:
        joined, used, cut_with = known
        if cut_with == room or (cut_with is None and used <= room):
            deepest = DEEPEST_JOIN + 1 if cut_with is not None else depth + used
            terms.reached = max(terms.reached, deepest)
            return joined
    if not room or (known is not None and known[2] is None):
        terms.reached = DEEPEST_JOIN + 1
        return None
    reached, terms.reached = terms.reached, depth
    terms.depth = depth + 1
    try:
        joined = _join_one_bit(high, low)
        for rule in RULES.join:
            if joined is not None:
                break
            joined = rule(high, low)
    finally:
        terms.depth = depth
        deepest, terms.reached = terms.reached, max(reached, terms.reached)
    cut_with = room if deepest > DEEPEST_JOIN else None
    terms.joined[high, low] = joined, deepest + 1 - depth, cut_with
    return joined


def _join_known(high: Term, low: Term) -> Term | None:
    """The bits that are known to stand above the lower part of a value: zeros, if it is small."""
    if low.op is not EXTRACT or low.number:
        return None
    whole = low.args[0]
    known, more = whole.low >> low.width, whole.width - low.width
    if whole.high >> low.width != known or more > high.width:
        return None
    if high.number & (1 << more) - 1 != known:
        return None
    return whole if more == high.width else concat(extract(high, more, high.width - more), whole)


def _join_extract(high: Term, low: Term) -> Term | None:
    base, start = high.args[0], high.number - low.width
    if start < 0:
        count = high.number
        if base.op is SUM and count and extract(low, -start, count) is extract(base, 0, count):
            return concat(extract(base, 0, count + high.width), extract(low, 0, -start))
        return None
    if base.op is not SUM and base.op is not MUL:
        # the lower part can be nothing but another EXTRACT of the same
        if low.op is not EXTRACT or low.args[0] is not base or low.number != start:
            return None
    elif extract(base, start, low.width) is not low:
        return None
    return extract(base, start, high.width + low.width)


def _join_one_bit(high: Term, low: Term) -> Term | None:
    """Constants chosen by the same bit."""
    one, other = one_bit(high), one_bit(low)
    if one is None or other is None or one[0] is not other[0]:
        return None
    then, otherwise = one[1] << low.width | other[1], one[2] << low.width | other[2]
    return choose(one[0], then, otherwise, high.width + low.width)


def join_all(high: Iterable[Term], low: Iterable[Term]) -> list[Term] | None:
    """Joins each term of one row with one of the other; None when that cannot be."""
    left = dict.fromkeys(low)
    places = {(term.args[0], term.number + term.width): term for term in left if term.op is EXTRACT}
    pieces: list[Term] = []
    for one in high:
        below = places.get((one.args[0], one.number)) if one.op is EXTRACT else None
        # the one that is next to it goes first: it could be joined with itself as well
        for other in left if below is None or below not in left else (below,):
            joined = join(one, other)
            if joined is not None and joined.op is not CONCAT:
                pieces.append(joined)
                del left[other]
                break
        else:
            return None
    return None if left else pieces


# ---------------------------------------------------------------- taking


def whole(term: Term) -> Term:
    """The value of which a term is the lowest bits, when all others are 0."""
    if term.op is EXTRACT and not term.number and not term.args[0].high >> term.width:
        return term.args[0]
    return term


def extract(a: Term, low: int, width: int) -> Term:
    """``width`` bits of a value, from bit ``low`` on."""
    if width == a.width:
        return a
    op = a.op
    if op is CONST:
        return const(a.number >> low, width)
    if op is EXTRACT:
        return extract(a.args[0], a.number + low, width)
    if op is CONCAT:
        return concat(*(extract(*piece) for piece in _pieces(a, low, width)))
    if a.high >> low == a.low >> low:
        return const(a.low >> low, width)
    if op not in PUSHED:
        used = (a.low ^ a.high).bit_length() - low
        if used < width:  # what stands above is known
            return concat(const(a.low >> low + used, width - used), extract(a, low, used))
        top = (1 << width) - 1
        bounds = (a.low >> low & top, a.high >> low & top) if used == width else (0, top)
        return make(EXTRACT, width, (a,), *bounds, number=low)
    cached = HERE.terms.taken.get((a, low, width))
    return apart(lambda: _extract(a, low, width)) if cached is None else cached


def _pieces(a: Term, low: int, width: int) -> Iterator[tuple[Term, int, int]]:
    """What to take of the parts of a CONCAT, the highest first."""
    at = a.width
    for part in a.args:
        at -= part.width
        first, end = max(low, at), min(low + width, at + part.width)
        if first < end:
            yield part, first - at, end - first


def _extract(a: Term, low: int, width: int) -> Term:
    """As ``extract``, for the operations in PUSHED; not recursive, as terms may be deep."""
    stack, taken = [(a, low, width)], HERE.terms.taken
    while stack:
        key = stack[-1]
        if key not in taken:
            waiting = [need for need in _find_needed(*key) if need not in taken]
            if waiting:
                stack += waiting
                continue
            taken[key] = RULES.take[key[0].op](*key)
        stack.pop()
    return taken[a, low, width]


def _find_needed(a: Term, low: int, width: int) -> Iterator[tuple[Term, int, int]]:
    """What will be taken of the args."""
    if a.op is SUM:
        for factor, arg in zip(a.factors, a.args, strict=True):
            count = low + width + 1 - (factor & -factor).bit_length()
            if 0 < count < arg.width:
                yield from _below(arg, 0, count)
        return
    for arg in a.args:
        if a.op is MUL:
            if low + width < arg.width:
                yield from _below(arg, 0, low + width)
        elif arg.width == a.width:
            yield from _below(arg, low, width)


def _below(a: Term, low: int, width: int) -> Iterator[tuple[Term, int, int]]:
    while a.op is EXTRACT:
        a, low = a.args[0], a.number + low
    if a.op in PUSHED and width < a.width and a.high >> low != a.low >> low:
        yield a, low, width
