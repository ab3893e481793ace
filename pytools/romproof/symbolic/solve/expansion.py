"""What a term is, as a polynomial of the terms within it: one step at a time.

Each step is an equation of integers:

    x side by side with y      x * 2**w + y
    c ? a : b                  b + c * a - c * b           for the condition c, a bit
    x and y, not x             x * y, 1 - x                of bits
    x ^ y                      x + y                       of bits, modulo 2
    a sum                      the sum of its summands     where it cannot wrap around, else modulo
                                                           2**width
    bits p.. of a sum s        (s - s mod 2**p) / 2**p
    d < 0, d = x - y           (d mod 2**n - d) / 2**n     with -2**n <= d < 2**n
    (2 * n + b) % d            2 * (n % d) + b - d * fits  fits: 2 * (n % d) + b >= d

The last one is how a remainder is worked out bit by bit (romproof.symbolic.terms.remainder); it
holds for d = 0 as well, as n % 0 = n there and everything fits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from romproof.symbolic.solve.polynomial import Summand
from romproof.symbolic.terms.compare import ult
from romproof.symbolic.terms.linear import (
    Factors,
    bits_for,
    bounds,
    difference,
    lift,
    to_signed,
)
from romproof.symbolic.terms.logic import and_, not_
from romproof.symbolic.terms.node import (
    AND,
    CONCAT,
    EXTRACT,
    ITE,
    MUL,
    REM,
    SUM,
    VAR,
    XOR,
    Term,
)
from romproof.symbolic.terms.remainder import rem
from romproof.symbolic.terms.rules import RULES
from romproof.symbolic.terms.slices import concat, extract, flip, is_choice, zext
from romproof.symbolic.terms.walk import in_order

ExpandedValue = tuple[list[Summand], int | None]
"""The summands, and for a value modulo 2**w that w."""


class Expansion:
    """One step for each term, and the order in which they are to be made: what depends on a term
    is taken apart before it, so that what cancels is gone when its turn comes.

    ``nonzero`` are terms that are not 0. Of two forms of a term that of ``present`` is taken.
    Sums in ``exact`` do not wrap around.
    """

    def __init__(
        self,
        nonzero: Collection[Term] = (),
        present: Collection[Term] = (),
        exact: Collection[Term] = (),
    ) -> None:
        self.nonzero = nonzero
        self.present = present
        self.exact = exact
        self._levels: dict[Term, int] = {}

    def order(self, term: Term) -> tuple[int, int, int]:
        """The greatest is taken apart first."""
        for inner in in_order([term], self._levels):
            below = max((self._levels[arg] for arg in inner.args), default=0)
            self._levels[inner] = below + _own_level(inner)
        return self._levels[term], term.width, term.serial

    def of(self, term: Term) -> ExpandedValue | None:
        """What a term is; None for what is not taken apart."""
        value = self._whole(term)
        if value is not None:
            return value, None
        if term.op is SUM:
            whole = lift(term)
            if whole is None and term not in self.exact:
                factors, number = integers_of(term)
                return _form(factors.items(), number), term.width
            factors, number = whole or integers_of(term)
            return _form(factors.items(), number), None
        if term.op is MUL:
            one, other = term.args
            exact_product = one.high * other.high < 1 << term.width
            return [(1, 0, _product(one, other))], None if exact_product else term.width
        if term.op is XOR and term.width == 1:
            return [(1, 0, (arg,)) for arg in term.args], 1
        return None

    def _whole(self, term: Term) -> list[Summand] | None:
        """The same for what is an equation of integers."""
        match term.op:
            case "const":
                return [(term.number, 0, ())]
            case "concat":
                return list(_side_by_side(term))
            case "ite" | "xor" | "and":
                return _bitwise(term) if term.width == 1 else _wide(term)
            case "extract":
                return self._slice(term)
            case "ult":
                return _sign(term)
            case "rem":
                return self._remainder(term)
        return _bits(term) if term.width > 1 and term.op in (VAR,) else None

    def _slice(self, term: Term) -> list[Summand] | None:
        whole, low = term.args[0], term.number
        if whole.op is REM:
            enough = term.width >= whole.args[1].width
            known = enough and not low and whole.args[1] in self.nonzero
            return [(1, 0, (whole,))] if known else None
        if whole.op in (SUM, MUL) and low and low + term.width == whole.width:
            return [(1, low, (whole,)), (-1, low, (extract(whole, 0, low),))]
        return _bits(term) if term.width > 1 else None

    def _remainder(self, term: Term) -> list[Summand]:
        number, divisor = term.args
        last = extract(number, 0, 1)
        before = rem(extract(number, 1, number.width - 1), divisor) if number.width > 1 else None
        state = last if before is None else concat(before, last)
        wide = max(state.width, divisor.width)
        smaller = ult(zext(state, wide), zext(divisor, wide))
        size = divisor.width
        if state.width > size and smaller not in self.present:
            # as a register of that size has it, and its carry: no other bit is set above, or d = 0
            low = ult(extract(state, 0, size), divisor)
            in_register = and_(low, flip(extract(state, size, 1)))
            smaller = in_register if in_register in self.present else smaller
        return [(1, 0, (state,)), (-1, 0, (divisor,)), (1, 0, _product(smaller, divisor))]


def integers_of(term: Term) -> tuple[Factors, int]:
    """A SUM as a form of integers that is the same modulo 2**width."""
    factors = {
        arg: to_signed(f, term.width) for arg, f in zip(term.args, term.factors, strict=True)
    }
    return factors, to_signed(term.number, term.width)


def _own_level(term: Term) -> int:
    if term.op in (CONCAT, EXTRACT):
        return 0
    return 4 * term.args[0].width + 2 if term.op is REM else 1


def _product(one: Term, other: Term) -> tuple[Term, ...]:
    if one is other and one.width == 1:
        return (one,)
    return (one, other) if one.serial <= other.serial else (other, one)


def _form(factors: object, number: int) -> list[Summand]:
    parts: list[Summand] = [(factor, 0, (arg,)) for arg, factor in factors]  # type: ignore[attr-defined]
    return [*parts, (number, 0, ())]


def _side_by_side(term: Term) -> Iterator[Summand]:
    at = 0
    for part in reversed(term.args):
        yield 1 << at, 0, (part,)
        at += part.width


def _bits(term: Term) -> list[Summand]:
    return [(1 << at, 0, (extract(term, at, 1),)) for at in range(term.width)]


def _wide(term: Term) -> list[Summand]:
    """Of what works on each bit apart."""
    if is_choice(term):
        condition, then, otherwise = term.args
        return [(then.number - otherwise.number, 0, (condition,)), (otherwise.number, 0, ())]
    top = (1 << term.width) - 1
    if term.op is XOR and len(term.args) == 1 and term.number == top:
        return [(top, 0, ()), (-1, 0, (not_(term),))]
    return _bits(term)


def _bitwise(term: Term) -> list[Summand] | None:
    """Of a single bit."""
    if term.op is ITE:
        condition, then, otherwise = term.args
        return [
            (1, 0, (otherwise,)),
            (1, 0, _product(condition, then)),
            (-1, 0, _product(condition, otherwise)),
        ]
    if term.op is AND:
        return [(1, 0, tuple(sorted(set(term.args), key=lambda arg: arg.serial)))]
    return [(1, 0, ()), (-1, 0, (flip(term),))] if term.number else None


def _sign(term: Term) -> list[Summand] | None:
    factors, number = difference(term)
    width = bits_for(*bounds(factors, number))
    rest = RULES.of_form(width, factors, number)
    whole = [(-factor, width, (arg,)) for arg, factor in factors.items()]
    return [(1, width, (rest,)), *whole, (-number, width, ())]
