"""Tables of products are the product, however their bytes are added up."""

from __future__ import annotations

import random

import numpy as np
import pytest

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

A, B, C, D = (t.var(name, 8) for name in "abcd")
WORD = (A, B, C, D)
FACTORS = (1812433253, 1664525, 1566083941, 3, 0xFF, 0xFFFF_FFFF, 0x1234_5677)
MIXED = t.concat(t.extract(A, 2, 6), t.xor(t.extract(A, 0, 2), t.extract(D, 6, 2)))
"""An index of which the lowest bits are something else."""


def table(factor: int, place: int) -> bytes:
    """Byte ``place`` of the factor times 0..255."""
    return bytes(factor * n >> 8 * place & 0xFF for n in range(256))


def summed(factor: int, word: tuple[Term, ...]) -> Term:
    """The product of a word, as 8-bit code adds it up: byte by byte with the carries."""
    cells = [t.const(0, 8)] * 4
    for at, index in enumerate(word):
        carry = t.FALSE
        for place in range(at, 4):
            entry = t.zext(t.lookup(table(factor, place - at), index), 9)
            added = t.add(t.add(t.zext(cells[place], 9), entry), t.zext(carry, 9))
            cells[place], carry = t.extract(added, 0, 8), t.extract(added, 8, 1)
    return t.concat(*reversed(cells))


@pytest.mark.parametrize("factor", FACTORS, ids=hex)
@pytest.mark.parametrize("index", [A, MIXED], ids=["byte", "mixed"])
def test_the_four_bytes_of_a_product_are_the_product(factor: int, index: Term) -> None:
    found = t.concat(*(t.lookup(table(factor, place), index) for place in reversed(range(4))))
    assert found is t.mul(t.const(factor, 32), t.zext(index, 32))


@pytest.mark.parametrize("factor", FACTORS[:3], ids=hex)
@pytest.mark.parametrize("low", [A, MIXED], ids=["byte", "mixed"])
def test_the_product_of_a_word_is_the_sum_of_those_of_its_bytes(factor: int, low: Term) -> None:
    word = t.concat(D, C, B, low)
    assert summed(factor, (low, B, C, D)) is t.mul(word, t.const(factor, 32))


@pytest.mark.parametrize("factor", FACTORS, ids=hex)
def test_tables_that_are_not_those_of_one_product_stay_what_they_are(factor: int) -> None:
    rnd = random.Random(factor)
    every = {"a": np.arange(256, dtype=np.uint64)}
    for _ in range(20):
        tables = [bytearray(table(factor, place)) for place in range(4)]
        wrong = rnd.choice(tables)
        wrong[rnd.randrange(256)] ^= rnd.randrange(1, 256)
        found = t.concat(*(t.lookup(bytes(each), A) for each in reversed(tables)))
        expected = [int.from_bytes(bytes(row), "little") for row in zip(*tables, strict=True)]
        assert t.evaluate([found], every)[0].tolist() == expected


@pytest.mark.slow
def test_sums_with_bytes_of_products_keep_their_value() -> None:
    rnd = random.Random(20212)
    samples = {
        name: np.array([rnd.randrange(256) for _ in range(200)], dtype=np.uint64) for name in "abcd"
    }
    for _ in range(200):
        factor = rnd.choice([rnd.getrandbits(32), rnd.getrandbits(12), rnd.getrandbits(32) << 3])
        index = rnd.choice([A, MIXED])
        cells = []
        plain = []
        for place in range(rnd.randrange(2, 5)):
            entries = table(factor, place)
            other, number = rnd.choice(WORD), rnd.randrange(256)
            entry = t.lookup(entries, index)
            cells.append(
                rnd.choice(
                    [entry, t.add(entry, other), t.add(t.sub(other, entry), t.const(number, 8))]
                )
            )
            plain.append(cells[-1])
        whole = t.concat(*reversed(cells))
        *found, together = t.evaluate([*plain, whole], samples)
        expected = sum(byte << np.uint64(8 * at) for at, byte in enumerate(found))
        assert (together == expected).all()
