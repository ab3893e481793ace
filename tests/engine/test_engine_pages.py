"""What is in sight of memory in pages: each byte is the one that a read of it gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from romproof.engine.space import PAGE, SIZE, AddressSpace

PAGES = SIZE // PAGE
STORE = bytes(range(251)) * 300  # pages do not resemble each other: 251 is prime
PLACES = st.lists(st.integers(0, 9).map(PAGE.__mul__), min_size=6, max_size=6)


def space_with(reads: list[int], writes: list[int]) -> AddressSpace:
    """Memory whose first pages are read and written at these places of the store."""
    space = AddressSpace(bytearray(STORE))
    for page, place in enumerate(reads):
        space.read_pages[page] = place
    for page, place in enumerate(writes):
        space.write_pages[page] = place
    return space


@given(reads=PLACES, writes=PLACES)
def test_all_is_what_a_read_of_each_address_gives(reads: list[int], writes: list[int]) -> None:
    space = space_with(reads, writes)
    assert space.read_all() == bytes(map(space.peek, range(SIZE)))


@given(reads=PLACES, writes=PLACES)
def test_a_byte_that_repeats_is_there_once(reads: list[int], writes: list[int]) -> None:
    space = space_with(reads, writes)
    once, seen = space.read_once(), set[int]()
    for page in range(PAGES):
        start, place = page * PAGE, space.read_pages[page]
        repeats = place == space.write_pages[page] and place in seen
        shown = bytes(PAGE) if repeats else STORE[place : place + PAGE]
        assert once[start : start + PAGE] == shown
        seen.add(place)


@pytest.mark.parametrize("page", [0, 7, PAGES - 1])
def test_pages_that_are_switched_show_something_else_at_once(page: int) -> None:
    space = space_with([], [])
    before = space.read_all()
    space.read_pages[page] = PAGES * PAGE
    assert space.read_all()[page * PAGE] == STORE[PAGES * PAGE] != before[page * PAGE]
    assert space.read_once()[page * PAGE] == STORE[PAGES * PAGE]
