"""Small terms, each for all values of its variables: no rule changes a value.

Where a rule of ``romproof.symbolic.terms`` has a condition too few, a small term is enough to show
it: of few bits, with constants at the borders, and of variables of which not all values are
possible. Random terms of many bits hardly ever come there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest
from thorough import THOROUGH

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.sample_memory import Samples
from romproof.symbolic.terms.term import Term

Known = tuple[Term, Samples]
"""A term, and its value for each input."""
VARIABLES = {
    "p": range(2), "q": range(2), "a": range(8), "b": range(4), "s": range(1, 6), "z": range(3, 5),
}  # fmt: skip
WIDTHS = {"p": 1, "q": 1, "a": 3, "b": 2, "s": 3, "z": 3}
WIDEST = 6
INPUTS = np.array(list(product(*VARIABLES.values())), dtype=np.uint64).T
VALUES = dict(zip(VARIABLES, INPUTS, strict=True))
COUNT = INPUTS.shape[1]
TABLES = (bytes([5, 5, 1, 1, 0, 2, 7, 7]), bytes([0, 1, 2, 3]), bytes(n * 2 + 1 for n in range(8)))


def cut(values: Samples, width: int) -> Samples:
    return values & np.uint64((1 << width) - 1)


def variable(name: str) -> Known:
    possible = VARIABLES[name]
    return t.var(name, WIDTHS[name], possible[0], possible[-1]), VALUES[name]


def constant(number: int, width: int) -> Known:
    return t.const(number, width), np.full(COUNT, number, dtype=np.uint64)


LEAVES = [variable(name) for name in VARIABLES]
LEAVES += [constant(n, w) for w in (1, 2, 3) for n in range(1 << w)]

Two = tuple[Callable[[Term, Term], Term], Callable[[Samples, Samples], Samples]]
BINARY: dict[str, Two] = {
    "and": (t.and_, lambda x, y: x & y),
    "or": (t.or_, lambda x, y: x | y),
    "xor": (t.xor, lambda x, y: x ^ y),
    "add": (t.add, lambda x, y: x + y),
    "sub": (t.sub, lambda x, y: x - y),
    "mul": (t.mul, lambda x, y: x * y),
    "eq": (t.eq, lambda x, y: (x == y).astype(np.uint64)),
    "ult": (t.ult, lambda x, y: (x < y).astype(np.uint64)),
}


def binary(name: str, one: Known, other: Known) -> Known:
    make, means = BINARY[name]
    term = make(one[0], other[0])
    return term, cut(means(one[1], other[1]), term.width)


def remainder(one: Known, other: Known) -> Known:
    """By 0 it is the number."""
    divisor = np.maximum(other[1], 1)
    return t.rem(one[0], other[0]), np.where(other[1] == 0, one[1], one[1] % divisor)


def joined(one: Known, other: Known) -> Known | None:
    width = one[0].width + other[0].width
    if width > WIDEST:
        return None
    return t.concat(one[0], other[0]), one[1] << np.uint64(other[0].width) | other[1]


def parts(one: Known) -> Iterator[Known]:
    """What has one operand."""
    term, values = one
    yield t.not_(term), cut(~values, term.width)
    for low in range(term.width):
        for width in range(1, term.width - low + 1):
            yield t.extract(term, low, width), cut(values >> np.uint64(low), width)
    if term.width < WIDEST:
        yield t.zext(term, term.width + 1), values
        yield t.zext(term, WIDEST), values
    if term.width <= 3:
        for table in TABLES:
            found = np.frombuffer(table.ljust(8, b"\0"), dtype=np.uint8)[values.astype(np.intp)]
            yield t.lookup(table, term), found.astype(np.uint64)


def chosen(when: Known, one: Known, other: Known) -> Known:
    return t.ite(when[0], one[0], other[0]), np.where(when[1] != 0, one[1], other[1])


def pairs(one: Known, other: Known) -> Iterator[Known]:
    """What has two operands."""
    if one[0].width == other[0].width:
        yield from (binary(name, one, other) for name in BINARY)
        yield remainder(one, other)
    made = joined(one, other)
    yield from () if made is None else (made,)


def hold(known: Known) -> None:
    """The value of a term is what it must be, for all inputs, and within its bounds."""
    term, values = known
    found = t.evaluate([term], VALUES)[0]
    assert (found == values).all(), term
    assert term.low <= int(values.min()), term
    assert int(values.max()) <= term.high, term


def related(draw: random.Random, known: Known) -> Known:
    """A part of a term, made as wide: rules look for the same operand in two places."""
    width = known[0].width
    part = draw.choice([each for each in t.in_order([known[0]]) if each.width])
    values = t.evaluate([part], VALUES)[0]
    if part.width > width:
        return t.extract(part, 0, width), cut(values, width)
    if part.width == width or draw.random() < 0.6:
        return t.zext(part, width), values
    above = width - part.width
    high = draw.choice([leaf for leaf in LEAVES if leaf[0].width == above] or [constant(1, above)])
    return t.concat(high[0], part), high[1] << np.uint64(part.width) | values


def test_one_operation() -> None:
    for one in LEAVES:
        for known in parts(one):
            hold(known)
        for other in LEAVES:
            for known in pairs(one, other):
                hold(known)


@pytest.mark.parametrize("seed", range(40 if THOROUGH else 8))
def test_a_few_operations_one_after_the_other(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(500):
        one = draw.choice(LEAVES)
        for _ in range(4):
            width = one[0].width
            fit = [leaf for leaf in LEAVES if leaf[0].width == width]
            other = draw.choice(fit) if fit and draw.random() < 0.5 else related(draw, one)
            another = draw.choice(LEAVES)
            condition = draw.choice([leaf for leaf in LEAVES if leaf[0].width == 1])
            new = [*pairs(one, other), *pairs(other, one), *pairs(another, one)]
            new += [chosen(condition, one, other), *draw.sample([*parts(one)], 3)]
            for known in new:
                hold(known)
            one = draw.choice([each for each in new if each[0].width <= WIDEST])
            if one[0].is_const:
                break
