"""Random terms whose values are known from how they were made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

Numbers = Any
Known = tuple[Term, Numbers]
"""A term, and its values for some inputs."""
WIDTHS = (1, 3, 4, 8, 9, 16, 24)


class Maker:
    """Makes terms out of terms, and their values apart from them.

    ``variables`` are names, widths, least and greatest values; ``values`` are theirs. With
    ``arrays`` there is one, called "array", whose bytes are ``contents``.
    """

    def __init__(
        self,
        random: Random,
        variables: Sequence[tuple[str, int, int, int]],
        values: Mapping[str, Numbers],
        arrays: bool = True,
    ) -> None:
        self.random = random
        self.values = dict(values)
        self.count = len(next(iter(values.values())))
        self.known: dict[int, list[Known]] = {width: [] for width in WIDTHS}
        for name, width, low, high in variables:
            self.known[width].append((t.var(name, width, low, high), values[name]))
        shape = (self.count, 0x10000) if arrays else (0, 0)
        numbers = np.random.default_rng(random.getrandbits(32))
        self.contents = numbers.integers(0, 256, shape, dtype=np.uint8)
        self.arrays = [(t.array_var("array"), self.contents)] if arrays else []

    def make(self, steps: int) -> list[Known]:
        """Make so many terms; all there are."""
        for _ in range(steps):
            self.step()
        return [each for known in self.known.values() for each in known]

    def pick(self, width: int) -> Known:
        """Some term of the width; a new one rather than an old one, now and then a constant."""
        known = self.known[width]
        if not known or self.random.random() < 0.15:
            top = (1 << width) - 1
            number = self.random.choice((0, 1, top, top >> 1, 6, 10, self.random.randint(0, top)))
            number &= top
            return t.const(number, width), np.full(self.count, number, np.uint64)
        return self.random.choice(known[-6:] if self.random.random() < 0.7 else known)

    def step(self) -> None:
        """Make a term."""
        random = self.random
        width = random.choice((1, 1, 1, 3, 4, 8, 8, 8, 8, 9, 9, 16, 16, 24))
        top = np.uint64((1 << width) - 1)
        (a, x), (b, y), (bit, chosen) = self.pick(width), self.pick(width), self.pick(1)
        name = random.choice([*_SAME, *_OTHERS, *(_ON_ARRAYS if self.arrays else ())])
        if name in _SAME:
            make, means = _SAME[name]
            self.add(make(a, b), means(x, y) & top)
        elif name == "not":
            self.add(t.not_(a), ~x & top)
        elif name == "ite":
            self.add(t.ite(bit, a, b), np.where(chosen != 0, x, y))
        elif name == "cut":
            wide, wide_value = self.pick(random.choice([w for w in WIDTHS if w >= width]))
            low = random.randint(0, wide.width - width)
            self.add(t.extract(wide, low, width), (wide_value >> np.uint64(low)) & top)
        elif name == "join":
            self._join(width)
        elif name == "compare":
            equal = random.random() < 0.4
            self.add(t.eq(a, b) if equal else t.ult(a, b), ((x == y) if equal else (x < y)))
        elif name == "lookup":
            table = random.choice((bytes(range(256)), random.randbytes(40), bytes([3]) * 70))
            index, at = self.pick(8)
            full = np.frombuffer(table.ljust(256, b"\0"), np.uint8)
            self.add(t.lookup(table, index), full[at.astype(np.int64)])
        else:
            self._access(name == "store")

    def _join(self, width: int) -> None:
        if width > 1 and self.random.random() < 0.4:
            low_width = self.random.choice([w for w in WIDTHS if w < width])
            low, low_value = self.pick(low_width)
            self.add(t.zext(low, width), low_value)
            return
        parts: list[Known] = []
        left = width
        while left:
            fitting = [w for w in WIDTHS if w <= left]
            parts.append(self.pick(self.random.choice(fitting)))
            left -= parts[-1][0].width
        value = np.zeros(self.count, np.uint64)
        for part, part_value in parts:
            value = value << np.uint64(part.width) | part_value
        self.add(t.concat(*(part for part, _ in parts)), value)

    def _access(self, is_store: bool) -> None:
        array, contents = self.random.choice(self.arrays)
        rows = np.arange(self.count)
        address, at = self.pick(16)
        if not is_store:
            self.add(t.load(array, address), contents[rows, at.astype(np.int64)])
            return
        value, byte = self.pick(8)
        bit, chosen = self.pick(1)
        after = contents.copy()
        after[rows, at.astype(np.int64)] = byte
        stored = t.store(array, address, value)
        if self.random.random() < 0.5:
            self.arrays.append((stored, after))
        else:
            either = np.where((chosen != 0)[:, None], after, contents)
            self.arrays.append((t.array_ite(bit, stored, array), either))
        self.arrays = self.arrays[-4:]

    def add(self, term: Term, value: Numbers) -> None:
        """Keep a term for further ones."""
        self.known[term.width].append((term, value.astype(np.uint64)))

    def memory(self, addresses: Numbers) -> Numbers:
        """The bytes of the array at addresses, one for each input."""
        rows = np.arange(self.count)
        return self.contents[rows, addresses.astype(np.int64)].astype(np.uint64)


def _remainder(x: Numbers, y: Numbers) -> Numbers:
    return np.where(y == 0, x, x % np.maximum(y, 1)).astype(np.uint64)


_SAME: dict[str, tuple[Callable[[Term, Term], Term], Callable[[Numbers, Numbers], Numbers]]] = {
    "and": (t.and_, np.bitwise_and),
    "or": (t.or_, np.bitwise_or),
    "xor": (t.xor, np.bitwise_xor),
    "add": (t.add, np.add),
    "plus": (t.add, np.add),
    "sub": (t.sub, np.subtract),
    "less": (t.sub, np.subtract),
    "mul": (t.mul, np.multiply),
    "rem": (t.rem, _remainder),
}
_OTHERS = ["not", *2 * ["ite", "cut", "join", "compare"], "lookup"]
_ON_ARRAYS = ["load", "store"]


def some_inputs(seed: int, count: int = 96) -> Maker:
    """Terms of many variables, for some inputs: random ones, and corners."""
    random, numbers = Random(seed), np.random.default_rng(seed)
    variables = [
        *((f"bit{n}", 1, 0, 1) for n in range(3)),
        *((f"byte{n}", 8, 0, 0xFF) for n in range(3)),
        *(("digit", 8, 0, 9), ("late", 8, 0xF0, 0xFF), ("word", 16, 0, 0xFFFF)),
        *(("address", 16, 0x0300, 0x033F), ("nibble", 4, 0, 15), ("three", 3, 0, 7)),
    ]
    values: dict[str, Numbers] = {}
    for name, _, low, high in variables:
        corners = np.array(random.choices((low, high, low + 1, high - 1), k=count))
        drawn = numbers.integers(low, high + 1, count)
        chosen = np.where(numbers.integers(0, 3, count) == 0, corners, drawn)
        values[name] = np.clip(chosen, low, high).astype(np.uint64)
    return Maker(random, variables, values)


def all_inputs(seed: int) -> Maker:
    """Terms of few variables, for all inputs, without arrays."""
    variables = [
        *(("bit0", 1, 0, 1), ("bit1", 1, 0, 1), ("three", 3, 0, 7), ("nibble", 4, 0, 15)),
        ("digit", 8, 20, 25),
    ]
    rows = product(*(range(low, high + 1) for _, _, low, high in variables))
    columns = np.array(list(rows), dtype=np.uint64).T
    values = {name: column for (name, *_), column in zip(variables, columns, strict=True)}
    return Maker(Random(seed), variables, values, arrays=False)
