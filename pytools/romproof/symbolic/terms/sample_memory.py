"""Arrays of bytes for many inputs at once: each version of one says how it came about.

A version that is checked after many stores becomes a table of all bytes, taken from the
version below that has one. So a long row of stores and loads costs little more than its length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[Any]
"""One number for each sample: uint64, or Python ints where the width is over 64."""

Bytes = Callable[[Samples], Samples]
"""Bytes at addresses, one for each sample: both of shape (N,), or (any number, N)."""

ADDRESSES = 0x10000
FAR = 48
"""Stores, or arrays that are chosen among, after which a table is made."""


class Version:
    """An array as it is for ``count`` samples; ``ways`` are the arrays that a byte of it is looked
    for in, one that two choices share twice."""

    def __init__(self, count: int, ways: int = 1) -> None:
        self.count = count
        self.ways = ways
        self.table: NDArray[np.uint8] | None = None

    def at(self, addresses: Samples) -> Samples:
        """A byte for each sample."""
        stores: list[Stored] = []
        below: Version = self
        while below.table is None and isinstance(below, Stored):
            stores.append(below)
            below = below.array
        if len(stores) > FAR:
            return _look_up(self.tabulate(), addresses)
        values = below.direct(addresses)
        for store in reversed(stores):
            values = np.where(addresses == store.address, store.byte, values)
        return values

    def direct(self, addresses: Samples) -> Samples:
        """A byte for each sample, from what is not a store."""
        if self.table is None:
            raise NotImplementedError
        return _look_up(self.table, addresses)

    def tabulate(self) -> NDArray[np.uint8]:
        """All bytes, of shape (count, 65536)."""
        stores: list[Stored] = []
        below: Version = self
        while below.table is None and isinstance(below, Stored):
            stores.append(below)
            below = below.array
        if below.table is None:
            below.table = below.whole()
        table = below.table
        if stores:
            below.table = None  # it goes up
            rows = np.arange(self.count)
            for store in reversed(stores):
                table[rows, store.address.astype(np.int64)] = store.byte
            self.table = table
        return table

    def whole(self) -> NDArray[np.uint8]:
        """All bytes, of shape (count, 65536), in memory of its own."""
        raise NotImplementedError


class Given(Version):
    """An array as it was given."""

    def __init__(self, given: NDArray[np.uint8] | Bytes, count: int) -> None:
        super().__init__(count)
        self.given = given

    def direct(self, addresses: Samples) -> Samples:
        if callable(self.given):
            return self.given(addresses)
        return _look_up(self.given, addresses)

    def whole(self) -> NDArray[np.uint8]:
        if not callable(self.given):
            return self.given.copy()
        addresses = np.arange(ADDRESSES, dtype=np.uint64)[:, None]
        values = self.given(np.broadcast_to(addresses, (ADDRESSES, self.count)))
        return np.ascontiguousarray(values.T.astype(np.uint8))


class Stored(Version):
    """Another one with a byte more."""

    def __init__(self, array: Version, address: Samples, byte: Samples) -> None:
        super().__init__(len(address), array.ways)
        self.array = array
        self.address = address
        self.byte = byte


class Chosen(Version):
    """One of two."""

    def __init__(self, condition: Samples, then: Version, otherwise: Version) -> None:
        super().__init__(len(condition), then.ways + otherwise.ways)
        self.condition = condition != 0
        self.then = then
        self.otherwise = otherwise
        if self.ways > FAR:
            self.table = self.whole()
            self.ways = 1

    def direct(self, addresses: Samples) -> Samples:
        if self.table is not None:
            return _look_up(self.table, addresses)
        return np.where(self.condition, self.then.at(addresses), self.otherwise.at(addresses))

    def whole(self) -> NDArray[np.uint8]:
        then = self.then.tabulate().copy()
        return np.where(self.condition[:, None], then, self.otherwise.tabulate())


def _look_up(table: NDArray[np.uint8], addresses: Samples) -> Samples:
    return table[np.arange(len(table)), addresses.astype(np.int64)].astype(np.uint64)
