"""Random terms, each with what it must be for some inputs, worked out by Python's own ints."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

INPUTS = 48
WIDEST = 72
VARIABLES = {"a": 8, "b": 8, "c": 1, "d": 1, "w": 16, "q": 4}
SMALL = ("l", 8, 3, 19)
"""A variable with bounds."""
TABLES = (
    bytes(n >> 3 for n in range(256)),
    bytes((n << 5 | n >> 2) & 0xFF for n in range(256)),
    bytes((n * n + 7) & 0xFF for n in range(256)),
    bytes((n * 2 ^ (0x1D if n & 0x80 else 0)) & 0xFF for n in range(256)),
    bytes(range(100)),
)

Numbers = np.ndarray[Any, Any]
"""Python ints, one for each input."""
Known = tuple[Term, Numbers]


class RandomTerms:
    """Terms made of those made before, the latest more often."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        draw = np.random.default_rng(seed)
        self.values: dict[str, Numbers] = {
            name: draw.integers(0, 1 << bits, INPUTS).astype(np.uint64)
            for name, bits in VARIABLES.items()
        }
        for name, bits in VARIABLES.items():
            self.values[name][:2] = 0, (1 << bits) - 1
        self.values[SMALL[0]] = draw.integers(SMALL[2], SMALL[3] + 1, INPUTS).astype(np.uint64)
        self.memory = draw.integers(0, 256, (INPUTS, 0x10000)).astype(np.uint8)
        self.known: list[Known] = [
            (t.var(name, bits), ints(self.values[name])) for name, bits in VARIABLES.items()
        ]
        self.known.append((t.var(*SMALL), ints(self.values[SMALL[0]])))

    def some(self, width: int | None = None) -> Known:
        """One of the terms, of a width if given."""
        fit = [known for known in self.known if width is None or known[0].width == width]
        if len(fit) > 12 and self.random.random() < 0.6:
            return fit[-1 - int(self.random.random() * 6)]
        return self.random.choice(fit)

    def number(self, width: int) -> Known:
        """A constant, often an extreme one."""
        top = (1 << width) - 1
        any_one = self.random.getrandbits(width)
        number = self.random.choice((0, 1, top, 1 << width - 1, any_one)) & top
        return t.const(number, width), np.array([number] * INPUTS, dtype=object)

    def step(self) -> Known:
        """One more term."""
        found: Known | None = None
        while found is None:
            found = self.random.choice(OPERATIONS)(self)
        self.known.append(found)
        return found

    def two(self) -> tuple[Term, Numbers, Term, Numbers]:
        """Two terms of the same width; the second may be a constant."""
        one, ones = self.some()
        constant = self.random.random() < 0.2
        other, others = self.number(one.width) if constant else self.some(one.width)
        return one, ones, other, others

    def check(self, term: Term, numbers: Numbers) -> None:
        """Its value must be the same by ``evaluate``, and within its bounds."""
        found = ints(t.evaluate([term], self.values, {"m": self.memory})[0])
        assert (found == numbers).all(), term
        assert (numbers >= term.low).all(), term
        assert (numbers <= term.high).all(), term


def ints(numbers: Numbers) -> Numbers:
    """As Python ints."""
    return np.array([int(number) for number in numbers], dtype=object)


def cut(numbers: Numbers, width: int) -> Numbers:
    """The low bits."""
    return numbers & ((1 << width) - 1)


Operation = Callable[[RandomTerms], "Known | None"]


def _binary(make: Callable[[Term, Term], Term], means: Callable[[Any, Any], Any]) -> Operation:
    def operation(terms: RandomTerms) -> Known | None:
        a, x, b, y = terms.two()
        if make is t.mul and a.width > 32:
            return None
        found = make(a, b)
        return found, ints(cut(ints(means(x, y)), found.width))

    return operation


def _not(terms: RandomTerms) -> Known:
    a, x = terms.some()
    return t.not_(a), cut(~x, a.width)


def _times(terms: RandomTerms) -> Known:
    a, x = terms.some()
    number = terms.random.getrandbits(min(a.width, terms.random.choice((2, 4, 8))))
    return t.mul(a, t.const(number, a.width)), cut(x * number, a.width)


def _ite(terms: RandomTerms) -> Known:
    a, x, b, y = terms.two()
    condition, holds = terms.some(1)
    return t.ite(condition, a, b), np.where(holds != 0, x, y)


def _concat(terms: RandomTerms) -> Known | None:
    (a, x), (b, y) = terms.some(), terms.some()
    if a.width + b.width > WIDEST:
        return None
    return t.concat(a, b), x << b.width | y


def _extract(terms: RandomTerms) -> Known:
    a, x = terms.some()
    low = terms.random.randrange(a.width)
    width = terms.random.randint(1, a.width - low)
    return t.extract(a, low, width), cut(x >> low, width)


def _zext(terms: RandomTerms) -> Known | None:
    a, x = terms.some()
    width = a.width + terms.random.randint(1, 9)
    return None if width > WIDEST else (t.zext(a, width), x)


def _lookup(terms: RandomTerms) -> Known | None:
    index, x = terms.some()
    if index.width > 8:
        return None
    table = terms.random.choice(TABLES)
    found = [table[n] if n < len(table) else 0 for n in x]
    return t.lookup(table, index), np.array(found, dtype=object)


def _load(terms: RandomTerms) -> Known:
    (at, places), (stored_at, others), (byte, numbers) = (terms.some(n) for n in (16, 16, 8))
    found = [
        numbers[n] if places[n] == others[n] else int(terms.memory[n, places[n]])
        for n in range(INPUTS)
    ]
    array = t.store(t.array_var("m"), stored_at, byte)
    return t.load(array, at), np.array(found, dtype=object)


def _adc(terms: RandomTerms) -> Known:
    (a, x), (b, y), (carry, c) = (terms.some(n) for n in (8, 8, 1))
    return t.add(t.add(t.zext(a, 9), t.zext(b, 9)), t.zext(carry, 9)), x + y + c


def _sbc(terms: RandomTerms) -> Known:
    (a, x), (b, y), (borrow, c) = (terms.some(n) for n in (8, 8, 1))
    return t.sub(t.sub(t.zext(a, 9), t.zext(b, 9)), t.zext(borrow, 9)), cut(x - y - c, 9)


OPERATIONS: tuple[Operation, ...] = (
    _not,
    _times,
    _ite,
    _concat,
    _extract,
    _extract,
    _zext,
    _lookup,
    _load,
    _adc,
    _sbc,
    _binary(t.and_, lambda x, y: x & y),
    _binary(t.or_, lambda x, y: x | y),
    _binary(t.xor, lambda x, y: x ^ y),
    _binary(t.add, lambda x, y: x + y),
    _binary(t.sub, lambda x, y: x - y),
    _binary(t.mul, lambda x, y: x * y),
    _binary(t.eq, lambda x, y: x == y),
    _binary(t.ult, lambda x, y: x < y),
)
