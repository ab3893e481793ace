"""Random terms, and others that are written otherwise, or nearly so: are they equal?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

WIDTHS = ((4, 4, 4), (8, 4, 1), (4, 4, 2, 1), (3, 3, 3, 3), (8, 4))
"""Bits of the variables: all inputs can be tried."""
FACTORS = (1, 3, 5, 16, 17, 0x55, 255, 256, 257)


@dataclass(frozen=True)
class Question:
    """Can ``one`` and ``other`` differ where ``assumed`` holds?"""

    one: Term
    other: Term
    assumed: tuple[Term, ...]
    free: tuple[Term, ...]

    def truth(self) -> str:
        """sat or unsat, by all inputs."""
        rows = itertools.product(*(range(1 << each.width) for each in self.free))
        table = np.array(list(rows), np.uint64)
        values = {each.name: table[:, number] for number, each in enumerate(self.free)}
        one, other, *assumed = t.evaluate([self.one, self.other, *self.assumed], values)
        differs = one != other
        for condition in assumed:
            differs &= condition != 0
        return "sat" if differs.any() else "unsat"


def question(seed: int) -> Question:
    """The question of a seed."""
    chance = Random(seed)
    free = tuple(
        t.var(name, width) for name, width in zip("abcd", chance.choice(WIDTHS), strict=False)
    )
    width = chance.choice([1, 4, 8, 8, 12, 16])
    one = _any(chance, free, width, chance.randrange(2, 5))
    if chance.random() < 0.8:
        other = _rewritten(chance, free, one)
    else:
        other = _any(chance, free, width, chance.randrange(2, 5))
    assumed = []
    if chance.random() < 0.4:
        assumed.append(t.ult(_any(chance, free, 4, 1), t.const(10, 4)))
    return Question(one, other, tuple(assumed), free)


def _any(chance: Random, free: Sequence[Term], width: int, depth: int) -> Term:
    """A term of a width."""
    if not depth or chance.random() < 0.12:
        if chance.random() < 0.2:
            return t.const(chance.randrange(1 << width), width)
        return _fitted(chance, chance.choice(free), width)

    def inner(width: int = width) -> Term:
        return _any(chance, free, width, depth - 1)

    def times() -> Term:
        factor = chance.choice([*FACTORS, chance.randrange(1 << width)])
        return t.mul(inner(), t.const(factor % (1 << width), width))

    def chosen() -> Term:
        return t.ite(t.ult(inner(4), inner(4)), inner(), inner())

    def part() -> Term:
        wide = width + chance.randrange(1, 9)
        low = chance.choice([0, wide - width, chance.randrange(wide - width + 1)])
        whole = t.add(inner(wide), inner(wide)) if chance.random() < 0.6 else inner(wide)
        return t.extract(whole, low, width)

    def beside() -> Term:
        at = chance.randrange(1, width)
        return t.concat(inner(width - at), inner(at))

    def left() -> Term:
        return t.rem(inner(), t.const(chance.randrange(1, 1 << min(width, 4)), width))

    def two(operation: Callable[[Term, Term], Term]) -> Callable[[], Term]:
        return lambda: operation(inner(), inner())

    ways = [two(t.add)] * 3 + [part] * 4 + [two(t.sub), two(t.xor), two(t.and_), two(t.or_)]
    ways += [two(t.mul), times, chosen, lambda: _fitted(chance, t.ult(inner(4), inner(4)), width)]
    return chance.choice([*ways, beside, left] if width > 1 else ways)()


def _fitted(chance: Random, term: Term, width: int) -> Term:
    if term.width < width:
        return t.zext(term, width)
    return t.extract(term, chance.randrange(term.width - width + 1), width)


def _rewritten(chance: Random, free: Sequence[Term], one: Term) -> Term:
    """The same, or nearly."""
    width = one.width
    more = _fitted(chance, chance.choice(free), width)
    match chance.randrange(6):
        case 0:
            return t.sub(t.add(one, more), more)
        case 1:
            return t.extract(t.concat(more, one), 0, width)
        case 2 if free[0].width == free[1].width:
            return t.replace(one, {free[0]: free[1]}, {})
        case 3:
            return t.add(one, t.const(1 << width - 1, width))
        case 4:
            above = t.mul(t.zext(more, width + 3), t.const(1 << width, width + 3))
            return t.extract(t.add(t.zext(one, width + 3), above), 0, width)
    return t.xor(t.xor(one, more), more)
