"""The generator MT19937, started from a key of words, by way of numpy."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

WORD = 4
"""Bytes in one output."""


class Twister:
    """A stream of 32-bit numbers from ``init_by_array(key)``.

    That function is Matsumoto and Nishimura's (mt19937ar.c); numpy's RandomState starts with it
    when it is given an array. Python's own ``random.seed`` does so only for some keys: it drops
    leading zero words.
    """

    def __init__(self, key: Sequence[int]) -> None:
        self._state = np.random.RandomState(list(key))

    def bytes(self, count: int) -> bytes:
        """The next ``count`` outputs, each as four bytes, the lowest first."""
        return self._state.bytes(WORD * count)

    def words(self, count: int) -> list[int]:
        """The next ``count`` outputs, 0..2^32-1 each."""
        return list(struct.unpack(f"<{count}I", self.bytes(count)))


def seed_state(key: Sequence[int]) -> tuple[int, ...]:
    """The 624 words of the state that ``init_by_array(key)`` makes, before the first output."""
    state = np.random.RandomState(list(key)).get_state(legacy=False)
    return tuple(int(word) for word in state["state"]["key"])
