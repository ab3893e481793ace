"""Random terms: what they are made of, what they became, and z3's formulas for them are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
import pytest
import z3_numpy

from romproof.engine.smt import term as t
from romproof.engine.smt.facts import Facts
from romproof.engine.smt.lower import Lowering
from romproof.engine.smt.term import Term


def test_a_sum_with_its_own_low_bits_in_its_high_ones() -> None:
    x, y = t.var("x", 8), t.var("y", 8)
    low = t.add(x, y)
    chosen = t.ite(t.eq(low, t.const(3, 8)), x, t.const(9, 8))
    high = t.mul(t.zext(chosen, 16), t.const(0x300, 16))
    wide = t.add(t.add(t.zext(x, 16), t.zext(y, 16)), high)
    lowering = Lowering()
    lowering.prepare([wide, low])
    formulas = [lowering.term(low), lowering.term(wide)]
    values = {"x": np.array([1, 200], np.uint64), "y": np.array([2, 100], np.uint64)}
    found = z3_numpy.evaluate(formulas, 2, values, {})
    assert [each.tolist() for each in found] == [[3, 44], [3 + 0x300, 300 + 9 * 0x300]]


def test_a_product_with_all_of_its_bits_shifted_out() -> None:
    x, y = (t.concat(t.var(name, 4), t.const(0, 4)) for name in "xy")
    assert t.mul(x, y) is t.const(0, 8)


# ---------------------------------------------------------------- random terms

COUNT = 96
STEPS = 80
Numbers = Any
Known = tuple[Term, Numbers]
"""A term, and its values as they follow from how it was made."""


class Maker:
    """Makes terms out of terms, and their values apart from them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        numbers = np.random.default_rng(seed)
        self.values: dict[str, Numbers] = {}
        self.known: dict[int, list[Known]] = {width: [] for width in (1, 3, 4, 8, 9, 16, 24)}
        for name, width, low, high in (
            *((f"bit{n}", 1, 0, 1) for n in range(3)),
            *((f"byte{n}", 8, 0, 0xFF) for n in range(3)),
            *(("digit", 8, 0, 9), ("late", 8, 0xF0, 0xFF), ("word", 16, 0, 0xFFFF)),
            *(("address", 16, 0x0300, 0x033F), ("nibble", 4, 0, 15), ("three", 3, 0, 7)),
        ):
            corners = self.random.choices((low, high, low, high, low + 1, high - 1), k=COUNT)
            drawn = numbers.integers(low, high + 1, COUNT)
            chosen = np.where(numbers.integers(0, 3, COUNT) == 0, np.array(corners), drawn)
            self.values[name] = np.clip(chosen, low, high).astype(np.uint64)
            self.known[width].append((t.var(name, width, low, high), self.values[name]))
        self.bytes = numbers.integers(0, 256, (COUNT, 0x10000), dtype=np.uint8)
        self.arrays = [(t.array_var("array"), self.bytes)]

    def pick(self, width: int) -> Known:
        """Some term of the width; a new one rather than an old one, now and then a constant."""
        known = self.known[width]
        if not known or self.random.random() < 0.15:
            top = (1 << width) - 1
            number = self.random.choice((0, 1, top, top >> 1, 6, 10, self.random.randint(0, top)))
            number &= top
            return t.const(number, width), np.full(COUNT, number, np.uint64)
        return self.random.choice(known[-6:] if self.random.random() < 0.7 else known)

    def step(self) -> None:
        """Make a term."""
        random = self.random
        width = random.choice((1, 1, 1, 3, 4, 8, 8, 8, 8, 9, 9, 16, 16, 24))
        top = np.uint64((1 << width) - 1)
        (a, x), (b, y), (bit, chosen) = self.pick(width), self.pick(width), self.pick(1)
        name = random.choice([*_SAME, *_OTHERS])
        if name in _SAME:
            make, means = _SAME[name]
            self.add(make(a, b), means(x, y) & top)
        elif name == "not":
            self.add(t.not_(a), ~x & top)
        elif name == "ite":
            self.add(t.ite(bit, a, b), np.where(chosen != 0, x, y))
        elif name == "cut":
            wide, wide_value = self.pick(random.choice([w for w in self.known if w >= width]))
            low = random.randint(0, wide.width - width)
            self.add(t.extract(wide, low, width), (wide_value >> np.uint64(low)) & top)
        elif name == "join":
            self._join(width)
        elif name == "compare":
            equal = random.random() < 0.4
            self.add(t.eq(a, b) if equal else t.ult(a, b), ((x == y) if equal else (x < y)))
        elif name == "rem":
            self.add(t.rem(a, b), np.where(y == 0, 0, x % np.where(y == 0, 1, y)))
        elif name == "reduce":
            self.add(t.ite(t.ult(a, b), a, t.sub(a, b)), np.where(x < y, x, x - y & top))
        elif name == "multiple":
            self._multiple()
        elif name == "lookup":
            table = random.choice((bytes(range(256)), random.randbytes(40), bytes([3]) * 70))
            index, at = self.pick(8)
            full = np.frombuffer(table.ljust(256, b"\0"), np.uint8)
            self.add(t.lookup(table, index), full[at.astype(np.int64)])
        else:
            self._access(name == "store")

    def _multiple(self) -> None:
        """Two bytes of a product, by tables."""
        factor = self.random.randrange(1 << 16)
        index, at = self.pick(8)
        tables = [bytes(factor * n >> place & 0xFF for n in range(256)) for place in (0, 8)]
        low, high = (t.lookup(table, index) for table in tables)
        value = at * np.uint64(factor)
        self.add(t.concat(high, low), value & np.uint64(0xFFFF))
        other, more = self.pick(8)
        high_value = (value >> np.uint64(8)) + more & np.uint64(0xFF)
        self.add(
            t.concat(t.add(high, other), low), high_value << np.uint64(8) | value & np.uint64(0xFF)
        )

    def _join(self, width: int) -> None:
        if width > 1 and self.random.random() < 0.4:
            low_width = self.random.choice([w for w in self.known if w < width])
            low, low_value = self.pick(low_width)
            self.add(t.zext(low, width), low_value)
            return
        parts: list[Known] = []
        left = width
        while left:
            fitting = [w for w in self.known if w <= left]
            parts.append(self.pick(self.random.choice(fitting)))
            left -= parts[-1][0].width
        value = np.zeros(COUNT, np.uint64)
        for part, part_value in parts:
            value = value << np.uint64(part.width) | part_value
        self.add(t.concat(*(part for part, _ in parts)), value)

    def _access(self, is_store: bool) -> None:
        array, contents = self.random.choice(self.arrays)
        rows = np.arange(COUNT)
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

    def all(self) -> list[Known]:
        """All terms made."""
        return [each for known in self.known.values() for each in known]


_SAME: dict[str, tuple[Callable[[Term, Term], Term], Callable[[Numbers, Numbers], Numbers]]] = {
    "and": (t.and_, np.bitwise_and),
    "or": (t.or_, np.bitwise_or),
    "xor": (t.xor, np.bitwise_xor),
    "add": (t.add, np.add),
    "plus": (t.add, np.add),
    "sub": (t.sub, np.subtract),
    "less": (t.sub, np.subtract),
    "mul": (t.mul, np.multiply),
}


_OTHERS = ["not", *2 * ["ite", "cut", "join", "compare"], "lookup", "load", "store", "rem"]
_OTHERS += ["rem", "reduce", "multiple"]


def hold(found: Iterable[Numbers], known: Iterable[Known], how: str) -> None:
    """AssertionError where values are not what they ought to be."""
    for value, (term, wanted) in zip(found, known, strict=True):
        wrong = np.flatnonzero(value.astype(np.uint64) != wanted)
        assert not len(wrong), f"{how}: {term} is {value[wrong[0]]}, not {wanted[wrong[0]]}"


@pytest.mark.parametrize("seed", range(40))
def test_what_terms_mean(seed: int) -> None:
    maker = Maker(seed)
    for _ in range(STEPS):
        maker.step()
    known = maker.all()
    terms = [term for term, _ in known]
    hold(t.evaluate(terms, maker.values, {"array": maker.bytes}), known, "evaluated")
    for term, value in known:
        assert term.low <= value.min(), f"{term} is {value.min()}, and {term.low} at least"
        assert value.max() <= term.high, f"{term} is {value.max()}, and {term.high} at most"
    lowering = Lowering()
    lowering.prepare(terms)
    formulas = [lowering.truth(x) if x.width == 1 else lowering.term(x) for x in terms]
    rows = np.arange(COUNT)
    arrays = {"array": lambda at: maker.bytes[rows, at.astype(np.int64)].astype(np.uint64)}
    hold(z3_numpy.evaluate(formulas, COUNT, maker.values, arrays), known, "as a formula")


@pytest.mark.parametrize("seed", range(20))
def test_what_terms_mean_with_others_in_place_of_variables(seed: int) -> None:
    maker = Maker(seed + 1000)
    for _ in range(STEPS):
        maker.step()
    known = maker.all()
    names = {"bit0": 1, "byte1": 8, "word": 16}
    mapping: dict[Term, Term] = {}
    values = dict(maker.values)
    for name, width in names.items():
        term, values[name] = maker.random.choice(maker.known[width])
        mapping[t.var(name, width)] = term
    memo: dict[Term, Term] = {}
    replaced = [t.replace(term, mapping, memo) for term, _ in known]
    arrays = {"array": maker.bytes}
    wanted = t.evaluate([term for term, _ in known], values, arrays)
    found = t.evaluate(replaced, maker.values, arrays)
    hold(found, list(zip(replaced, wanted, strict=True)), "with others in it")


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_conditions(seed: int) -> None:
    maker = Maker(seed + 2000)
    for _ in range(STEPS):
        maker.step()
    facts = Facts()
    holds = np.ones(COUNT, dtype=bool)
    conditions = maker.known[1].copy()
    maker.random.shuffle(conditions)
    for condition, value in conditions:
        if (holds & (value != 0)).sum() >= 8:
            facts.assume(condition)
            holds &= value != 0
        elif (holds & (value == 0)).sum() >= 8:
            facts.assume(condition, False)
            holds &= value == 0
    for term, value in maker.all():
        low, high = facts.bounds(term)
        assert low <= value[holds].min(), str(term)
        assert value[holds].max() <= high, str(term)
        if term.width == 1 and (truth := facts.truth(term)) is not None:
            assert (value[holds] == truth).all(), str(term)
