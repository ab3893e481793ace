"""Terms that say the same in different ways are one object: known bits, functions of bits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from romproof.engine.smt import term as t
from romproof.engine.smt.equations import simplified
from romproof.engine.smt.term import Term

X, Y, Z = (t.var(name, 8) for name in "xyz")
PAGES = t.var("page", 8, 0xC0, 0xC2)
"""Of its bits only the lowest two are not known."""


def test_a_value_is_itself_with_its_known_bits_put_above_the_others() -> None:
    below = t.extract(PAGES, 0, 2)
    assert t.concat(t.const(0x30, 6), below) is PAGES
    assert t.concat(t.const(0x5 << 6 | 0x30, 9), below) is t.concat(t.const(0x5, 3), PAGES)
    assert t.concat(t.const(0x31, 6), below) is not PAGES


def test_known_bits_are_no_part_of_what_is_taken() -> None:
    assert t.extract(PAGES, 1, 7) is t.concat(t.const(0x30, 6), t.extract(PAGES, 1, 1))
    assert t.extract(PAGES, 2, 6) is t.const(0x30, 6)


CHOSEN = {
    "with and": t.xor(t.and_(X, Y), t.and_(t.not_(X), Z)),
    "with or": t.or_(t.and_(X, Y), t.and_(t.not_(X), Z)),
    "from the difference": t.xor(t.and_(t.xor(Y, Z), X), Z),
}
MOST = {
    "of pairs": t.xor(t.xor(t.and_(X, Y), t.and_(X, Z)), t.and_(Y, Z)),
    "with or": t.or_(t.or_(t.and_(X, Y), t.and_(X, Z)), t.and_(Y, Z)),
    "from differences": t.xor(t.and_(t.xor(X, Y), t.xor(X, Z)), X),
}


@pytest.mark.parametrize("ways", [CHOSEN, MOST], ids=["choice", "majority"])
def test_a_function_of_bits_has_one_form(ways: dict[str, Term]) -> None:
    assert len(set(ways.values())) == 1


def test_functions_of_bits_are_what_they_were() -> None:
    rows = np.array(list(product((0, 0xFF), repeat=3)), dtype=np.uint64).T
    values = dict(zip("xyz", rows, strict=True))
    x, y, z = rows
    chosen, most = t.evaluate([CHOSEN["with or"], MOST["with or"]], values, {})
    assert np.array_equal(chosen, np.where(x != 0, y, z))
    assert np.array_equal(most, x & y | x & z | y & z)


def test_a_long_product_of_sums_stays_one() -> None:
    """Written out it would have 5**4 summands."""
    words = [[t.var(f"v{row}{place}", 8) for place in range(5)] for row in range(4)]
    found = t.const(0xFF, 8)
    for row in words:
        total = row[0]
        for word in row[1:]:
            total = t.xor(total, word)
        found = t.and_(found, total)
    assert found.op == "and"


def test_an_exclusive_or_among_conditions_gives_a_variable() -> None:
    differs = t.not_(t.eq(t.xor(t.and_(X, Y), t.and_(X, Z)), t.and_(X, t.var("both", 8))))
    left, known = simplified([t.eq(t.var("both", 8), t.xor(Y, Z)), differs])
    assert left is None
    assert len(known) == 1
