"""Bit by bit: XOR, AND, OR, NOT.

Each works on parts that are no CONCAT, joined afterwards. There is no OR: by NOT and AND the same
is said in one way only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce

from romproof.symbolic.terms.node import (
    AND,
    CONCAT,
    CONST,
    HERE,
    ITE,
    LOOKUP,
    MUL,
    SUM,
    VAR,
    XOR,
    Term,
    const,
    make,
    runs,
)
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import (
    align,
    choose,
    concat,
    extract,
    flip,
    is_choice,
    join_all,
    parts,
)

LONGEST = 256
"""Args of one XOR or AND; with more, one of them stays an arg as it is."""


def _fields(term: Term) -> tuple[Term, ...]:
    """The parts of a term; of a value that is known to be small, the zeros and the rest."""
    used = term.high.bit_length()
    if used < term.width and term.op in (VAR, LOOKUP, MUL):
        return const(0, term.width - used), extract(term, 0, used)
    return parts(term)


MAX_PRODUCTS = 16
"""Summands that an AND of XORs may become."""


def _by_parts(way: Callable[[Term, Term], Term], a: Term, b: Term) -> Term:
    ones, others = _fields(a), _fields(b)
    if len(ones) == len(others) == 1:
        return way(a, b)
    return concat(*(way(one, other) for one, other in align(ones, others)))


# ---------------------------------------------------------------- XOR


def not_(a: Term) -> Term:
    """All bits inverted."""
    if a.width == 1:
        return flip(a)
    return xor(a, const(-1, a.width))


def xor(a: Term, b: Term) -> Term:
    """Exclusive or."""
    if a.op is CONST:
        a, b = b, a
    if b.op is CONST:
        if not b.number:
            return a
        if a.op is CONST:
            return const(a.number ^ b.number, a.width)
        if a.width == 1:
            return flip(a)
        if is_choice(a):
            condition, then, otherwise = a.args
            return choose(condition, then.number ^ b.number, otherwise.number ^ b.number, a.width)
    elif a is b:
        return const(0, a.width)
    return _by_parts(_xor, a, b)


def _xor(a: Term, b: Term) -> Term:
    number = 0
    args: dict[Term, None] = {}
    top = (1 << a.width) - 1
    for term in (a, b):
        if term.op is XOR and len(args) + len(term.args) <= LONGEST:
            number ^= term.number
            inner = term.args
        else:
            inner = (term,)
        for arg in inner:
            if arg.op is CONST:
                number ^= arg.number
                continue
            if arg.op is ITE and is_choice(arg) and arg.args[2].number:
                number ^= arg.args[2].number
                arg = choose(arg.args[0], arg.args[1].number ^ arg.args[2].number, 0, a.width)
            if arg in args:
                del args[arg]
            else:
                args[arg] = None
    return _make_xor(a.width, args, number, top)


def _make_xor(width: int, args: Iterable[Term], number: int, top: int) -> Term:
    ordered = tuple(sorted(args, key=lambda arg: arg.serial))
    if not ordered:
        return const(number, width)
    if len(ordered) > 1:
        return make(XOR, width, ordered, 0, top, number)
    arg = ordered[0]
    if not number:
        return arg
    if is_choice(arg):
        return choose(arg.args[0], arg.args[1].number ^ number, arg.args[2].number ^ number, width)
    if arg.op is ITE and (arg.args[1].op is CONST or arg.args[2].op is CONST):
        condition, then, otherwise = arg.args
        fixed = const(number, width)
        return RULES.choice(condition, xor(then, fixed), xor(otherwise, fixed))
    if arg.op is SUM and number in (top, top >> 1, top ^ top >> 1):
        return RULES.inverted_sum(arg, number)
    if arg.op is SUM and number > top >> 1:
        return xor(RULES.inverted_sum(arg, top ^ top >> 1), const(number & top >> 1, width))
    if number == top:
        return make(XOR, width, ordered, top - arg.high, top - arg.low, number)
    below = (1 << arg.high.bit_length()) - 1
    above = number & ~below  # what stands above the highest bit of the arg
    return make(XOR, width, ordered, above, above | below, number)


def take_xor(a: Term, low: int, width: int) -> Term:
    """Bits of an XOR: the XOR of bits."""
    bits = const(a.number >> low, width)
    for arg in a.args:
        bits = xor(bits, extract(arg, low, width))
    return bits


def join_xor(high: Term, low: Term) -> Term | None:
    """Two XORs side by side whose args go together."""
    if high.op is not XOR and low.op is not XOR:
        return None
    ones, number = (high.args, high.number) if high.op is XOR else ((high,), 0)
    others, lower = (low.args, low.number) if low.op is XOR else ((low,), 0)
    if len(ones) != len(others):
        return None
    joined = join_all(ones, others)
    if joined is None:
        return None
    width = high.width + low.width
    return _make_xor(width, joined, number << low.width | lower, (1 << width) - 1)


# ---------------------------------------------------------------- AND, OR


def and_(a: Term, b: Term) -> Term:
    """And."""
    if a.op is CONST:
        a, b = b, a
    if b.op is CONST:
        return _mask(a, b.number)
    if a is b:
        return a
    return _by_parts(_and, a, b)


def _mask(a: Term, mask: int) -> Term:
    if a.op is CONST:
        return const(a.number & mask, a.width)
    if not mask:
        return const(0, a.width)
    if mask == (1 << a.width) - 1:
        return a
    pieces: list[Term] = []
    at = 0
    for bit, count in runs(mask, a.width):
        pieces.append(extract(a, at, count) if bit else const(0, count))
        at += count
    return concat(*reversed(pieces))


def or_(a: Term, b: Term) -> Term:
    """Or."""
    if a.op is CONST:
        a, b = b, a
    if b.op is CONST and not b.number:
        return a
    if a.width == 1:
        return flip(and_(flip(a), flip(b)))
    return _by_parts(_or, a, b)


def _or(a: Term, b: Term) -> Term:
    if a.op is CONST:
        a, b = b, a
    if b.op is CONST and not b.number:
        return a
    result = not_(and_(not_(a), not_(b)))
    if result.op is XOR and max(a.serial, b.serial) < result.serial:
        # whether that is 0 is a question of both
        HERE.terms.ors.setdefault(result, (a, b))
    return result


def _and(a: Term, b: Term) -> Term:
    """Of two terms that are no CONCAT."""
    if a.op is CONST or b.op is CONST:
        return and_(a, b)
    for one, other in ((a, b), (b, a)):
        if one.op is ITE and (is_choice(one) or 0 in (one.args[1].high, one.args[2].high)):
            condition, then, otherwise = one.args
            return RULES.choice(condition, and_(other, then), and_(other, otherwise))
    if a.width > 1 and XOR in (a.op, b.op):
        result = _distribute(a, b)
        if result is not None:
            return result
    # paths are joined again and again, and most of them begin alike
    known = HERE.terms.ands
    result = known.get((a, b))
    if result is None:
        args: dict[Term, None] = {}
        for term in (a, b):
            whole = term.op is AND and len(args) + len(term.args) <= LONGEST
            args |= dict.fromkeys(term.args if whole else (term,))
        result = _make_and(a.width, args)
        if a.width == 1:
            known[a, b] = result
    return result


def _distribute(a: Term, b: Term) -> Term | None:
    """AND of XOR as XOR of AND: then functions of bytes have one form. Not of single bits, which
    are conditions."""
    ones, others = _summands(a), _summands(b)
    if len(ones) * len(others) > MAX_PRODUCTS:
        return None
    result = const(0, a.width)
    for one in ones:
        for other in others:
            result = xor(result, and_(one, other))
    return result


def _summands(term: Term) -> tuple[Term, ...]:
    """What is joined by XOR."""
    if term.op is not XOR:
        return (term,)
    return (*term.args, const(term.number, term.width)) if term.number else term.args


def _make_and(width: int, args: dict[Term, None]) -> Term:
    simple = _absorb(width, args)
    if simple is None:
        return const(0, width)
    if not simple:
        return const(-1, width)
    ordered = tuple(sorted(simple, key=lambda arg: arg.serial))
    if len(ordered) == 1:
        return ordered[0]
    high = min(arg.high for arg in ordered)
    if high >> width - 1:
        return make(AND, width, ordered, 0, high)
    used = high.bit_length()  # zeros stand above
    return concat(const(0, width - used), reduce(and_, (extract(arg, 0, used) for arg in ordered)))


def _args_of_denied(term: Term, top: int) -> tuple[Term, ...] | None:
    """The args of an AND of which a term is the NOT: an OR of what is NOT them."""
    if term.op is XOR and term.number == top and len(term.args) == 1 and term.args[0].op is AND:
        return term.args[0].args
    return None


def _invert(args: Iterable[Term]) -> Iterator[Term]:
    """NOT of those args that are NOT of something: of the others it need not have been made."""
    return (not_(arg) for arg in args if arg.op is XOR and arg.number)


def _contradict(args: dict[Term, None], inverted: set[Term], denied: Term) -> bool:
    """Whether one of the args is NOT of one that the AND ``denied`` has; ``inverted`` are NOT of
    those args that are NOT of something."""
    if denied.width > 1:
        return any(not_(term) in args for term in denied.args)
    if not inverted.isdisjoint(denied.args):
        return True
    known = HERE.terms.inverted
    if denied not in known:
        known[denied] = tuple(_invert(denied.args))
    return not args.keys().isdisjoint(known[denied])


def _absorb(width: int, args: dict[Term, None]) -> dict[Term, None] | None:
    """Without args that the others make superfluous, whole or in part; None: it is 0."""
    top = (1 << width) - 1
    inverted = set(_invert(args))
    if not inverted.isdisjoint(args):
        return None
    changed = True
    while changed:
        changed = False
        for arg in args:
            denied = _args_of_denied(arg, top)
            if denied is None:
                continue
            if _contradict(args, inverted, arg.args[0]):
                less: Term | None = None  # one of them is 0 already
            else:
                rest = {term: None for term in denied if term not in args}
                if len(rest) == len(denied):
                    continue
                less = not_(_make_and(width, rest))
            del args[arg]
            if less is not None:
                if less.op is CONST or not_(less) in args:
                    return None  # it is 0: all of them are 1
                args |= dict.fromkeys(less.args if less.op is AND else (less,))
            changed = True
            break
        changed = changed or _resolve(width, top, args)
        if changed:
            inverted = set(_invert(args))
    return args


def _resolve(width: int, top: int, args: dict[Term, None]) -> bool:
    """Where two args are NOT (x AND rest), NOT (NOT x AND rest), puts NOT rest; did it?"""
    clauses = [
        (arg, set(denied)) for arg in args if (denied := _args_of_denied(arg, top)) is not None
    ]
    if not 1 < len(clauses) <= 8:
        return False
    for place, (arg, one) in enumerate(clauses):
        for second, other in clauses[place + 1 :]:
            left, right = one - other, other - one
            if not left or not right:
                del args[arg if left else second]  # the other says more
                return True
            if len(left) == len(right) == 1 and not_(*left) is next(iter(right)):
                del args[arg], args[second]
                rest = not_(_make_and(width, dict.fromkeys(t for t in arg_args(arg) if t in other)))
                args |= dict.fromkeys(rest.args if rest.op is AND else (rest,))
                return True
    return False


def arg_args(term: Term) -> tuple[Term, ...]:
    """The args of the only arg."""
    return term.args[0].args


def take_and(a: Term, low: int, width: int) -> Term:
    """Bits of an AND: the AND of bits."""
    bits = const(-1, width)
    for arg in a.args:
        bits = and_(bits, extract(arg, low, width))
    return bits


def join_and(high: Term, low: Term) -> Term | None:
    """Two ANDs side by side whose args go together."""
    ones, others = _and_args(high), _and_args(low)
    if ones is None or others is None or len(ones) != len(others):
        return None
    joined = join_all(ones, others)
    if joined is None:
        return None
    result = joined[0]
    for term in joined[1:]:
        result = and_(result, term)
    return None if result.op is CONCAT else result


def _and_args(term: Term) -> tuple[Term, ...] | None:
    """What an AND joins, or a choice between a value and 0."""
    if term.op is AND:
        return term.args
    if term.op is ITE and 0 in (term.args[1].high, term.args[2].high) and not is_choice(term):
        condition, then, otherwise = term.args
        value, bit = (then, condition) if otherwise.high == 0 else (otherwise, flip(condition))
        mask = choose(bit, -1, 0, term.width)
        return (mask, *(value.args if value.op is AND else (value,)))
    return None
