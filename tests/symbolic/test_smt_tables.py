"""Tables: where one begins does not matter, only what can be read from it."""

from __future__ import annotations

import random

import numpy as np

from romproof.symbolic.terms import term as t

DATA = bytes(random.Random(20214).randrange(256) for _ in range(600))
PLACE = t.var("place", 8)


def test_a_table_read_from_another_beginning_is_the_same() -> None:
    wide = t.zext(PLACE, 16)
    found = t.lookup(DATA[40:], t.add(wide, t.const(7, 16)))
    assert t.lookup(DATA, t.add(wide, t.const(47, 16))) is found
    assert t.lookup(DATA[47:], wide) is found
    before = bytes(1000) + DATA
    assert t.lookup(before, t.add(wide, t.const(1047, 16))) is found
    values = {"place": np.arange(256, dtype=np.uint64)}
    assert t.evaluate([found], values)[0].tolist() == list(DATA[47:303])


def test_a_pointer_of_two_bytes_reads_what_its_offset_does() -> None:
    low, high = t.var("low", 8), t.var("high", 8, 0x80, 0x81)
    pointer = t.concat(high, low)
    absolute = t.lookup(bytes(0x8000) + DATA, t.add(pointer, t.const(3, 16)))
    offset = t.add(t.sub(pointer, t.const(0x8000, 16)), t.const(3, 16))
    assert t.lookup(DATA, offset) is absolute
