"""Arrays for many samples at once, that are chosen among and stored into."""

from __future__ import annotations

import numpy as np

from romproof.symbolic.terms.sample_memory import Chosen, Given, Samples, Stored, Version

COUNT = 4


def test_what_choices_share_is_looked_up_a_few_times_only() -> None:
    """Two choices in each of forty rows have the array of the row before: 2**40 ways to it."""
    looked: list[int] = []

    def byte(addresses: Samples) -> Samples:
        looked.append(1)
        return addresses & np.uint64(0xFF)

    array: Version = Given(byte, COUNT)
    turns = np.arange(COUNT, dtype=np.uint64) % 2
    for row in range(40):
        at = np.full(COUNT, row, dtype=np.uint64)
        array = Chosen(turns, Stored(array, at, at + 100), array)
    found = array.at(np.full(COUNT, 7, dtype=np.uint64))
    assert found.tolist() == [7, 107, 7, 107]
    assert array.at(np.full(COUNT, 50, dtype=np.uint64)).tolist() == [50] * COUNT
    assert len(looked) < 100
