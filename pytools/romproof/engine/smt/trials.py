"""Inputs to try: corner values and random ones, the same in every run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.engine.smt.node import ARRAY, Term
from romproof.engine.smt.sample_memory import ADDRESSES, Bytes, Samples

SEED = 20210
CORNERS = (0, 1, 0x7F, 0x80, 0xFF)
KEPT = 1 << 14
"""Variables whose values are not made again."""


@dataclass(frozen=True, slots=True)
class Trials:
    """``count`` inputs: a number for each variable's name, a memory for each array's."""

    count: int
    values: dict[str, Samples]
    arrays: dict[str, Bytes]

    def memory(self, name: str, number: int) -> bytes:
        """All 65536 bytes of an array in one trial."""
        addresses = np.arange(ADDRESSES, dtype=np.uint64)
        return _bytes_of(name, np.full(ADDRESSES, number), addresses).astype(np.uint8).tobytes()


def trials(variables: Iterable[Term], count: int) -> Trials:
    """Inputs within the bounds of the variables: in the first ones all have corner values."""
    values: dict[str, Samples] = {}
    arrays: dict[str, Bytes] = {}
    bounds: dict[str, tuple[int, int, int]] = {}
    numbers = np.arange(count)
    for term in sorted(variables, key=lambda term: term.name):
        if term.op == ARRAY:
            arrays[term.name] = partial(_bytes_of, term.name, numbers)
            continue
        width, low, high = bounds.get(term.name, (term.width, 0, term.high))
        bounds[term.name] = width, max(low, term.low), min(high, term.high)
    for name, (width, low, high) in bounds.items():
        values[name] = _values(name, width, low, max(low, high), count)
    return Trials(count, values, arrays)


def _random(name: str) -> np.random.Generator:
    return np.random.default_rng([SEED, *name.encode()])


@lru_cache(KEPT)
def _values(name: str, width: int, low: int, high: int, count: int) -> NDArray[Any]:
    """The values of a variable; they are asked for with each question that it is in."""
    random = _random(name)
    corners = [low, high, *(n for n in CORNERS if low < n < high), low + 1, max(low, high - 1)]
    found: list[int] = []
    for number in range(count):
        if number < len(corners):
            value = corners[number]
        elif number % 4 == 0:
            value = corners[int(random.integers(len(corners)))]
        else:
            drawn = int.from_bytes(random.bytes(width // 8 + 8), "little")
            value = low + drawn % (high - low + 1)
        found.append(value)
    values = np.array(found, dtype=np.uint64 if width <= 64 else object)
    values.flags.writeable = False
    return values


@cache
def _memory(name: str) -> NDArray[np.uint64]:
    return _random(name).integers(0, 256, ADDRESSES, dtype=np.uint64)


def _bytes_of(name: str, numbers: NDArray[Any], addresses: Samples) -> Samples:
    """The bytes of an array at an address in each of some trials: all 0, all $FF, then random."""
    found = _memory(name)[(addresses.astype(np.int64) + numbers * 7919) % ADDRESSES]
    return np.where(numbers == 0, 0, np.where(numbers == 1, 0xFF, found)).astype(np.uint64)
