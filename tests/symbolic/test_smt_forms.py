"""Terms that say the same in different ways are one object: known bits, functions of bits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from romproof.symbolic.solve.equations import simplify
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

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
MAX = {
    "of pairs": t.xor(t.xor(t.and_(X, Y), t.and_(X, Z)), t.and_(Y, Z)),
    "with or": t.or_(t.or_(t.and_(X, Y), t.and_(X, Z)), t.and_(Y, Z)),
    "from differences": t.xor(t.and_(t.xor(X, Y), t.xor(X, Z)), X),
}


@pytest.mark.parametrize("ways", [CHOSEN, MAX], ids=["choice", "majority"])
def test_a_function_of_bits_has_one_form(ways: dict[str, Term]) -> None:
    assert len(set(ways.values())) == 1


def test_functions_of_bits_are_what_they_were() -> None:
    rows = np.array(list(product((0, 0xFF), repeat=3)), dtype=np.uint64).T
    values = dict(zip("xyz", rows, strict=True))
    x, y, z = rows
    chosen, most = t.evaluate([CHOSEN["with or"], MAX["with or"]], values, {})
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
    left, known = simplify([t.eq(t.var("both", 8), t.xor(Y, Z)), differs])
    assert left is None
    assert len(known) == 1


def test_a_sum_has_a_value_as_a_whole_or_its_lower_bits() -> None:
    """The same form, whichever of both it was made with."""
    for whole in (PAGES, t.var("small", 8, 0, 63)):
        used = (whole.low ^ whole.high).bit_length()
        bits = t.extract(whole, 0, used)
        again = t.sub(t.zext(bits, 8), t.const(-(whole.low >> used << used), 8))
        assert t.add(whole, Y) is t.add(again, Y)
        narrow = t.add(bits, t.extract(Y, 0, used))
        assert t.extract(t.add(whole, Y), 0, used) is narrow


def test_a_table_is_read_by_the_bits_that_are_not_known() -> None:
    small = t.var("small", 8, 0, 63)
    table = bytes(n * n & 0xFF for n in range(64))
    assert t.lookup(table, small) is t.lookup(table, t.extract(small, 0, 6))
    shifted = bytes(0xC0) + table
    high = t.var("high", 8, 0xC0, 0xFF)
    assert t.lookup(shifted, high) is t.lookup(table, t.extract(high, 0, 6))


def test_a_byte_that_is_written_again_is_no_longer_there() -> None:
    places = [t.add(t.var("place", 16), t.const(n, 16)) for n in range(3)]
    array = t.array_var("memory")
    once = array
    for place, value in zip(places, (X, Y, Z), strict=True):
        once = t.store(once, place, value)
    twice = t.store(t.store(array, places[0], Z), places[1], X)
    for place, value in zip(places, (X, Y, Z), strict=True):
        twice = t.store(twice, place, value)
    assert twice is once
    elsewhere = t.store(t.store(array, places[0], X), t.var("other", 16), Y)
    again = t.store(elsewhere, places[0], Z)
    assert again.args[0] is elsewhere  # the other place may be the same


def test_a_byte_of_an_array_among_conditions_gives_a_variable() -> None:
    byte = t.load(t.array_var("memory"), t.var("place", 16))
    left, known = simplify([t.eq(X, byte), t.not_(t.eq(t.add(X, Y), t.add(byte, Y)))])
    assert left is None
    assert known == {"x": byte}
