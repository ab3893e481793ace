"""Inputs to try: corner values and random ones, the same in every run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import ARRAY, VAR, Term
from romproof.symbolic.terms.sample import value_of
from romproof.symbolic.terms.sample_memory import ADDRESSES, Bytes, Samples
from romproof.symbolic.terms.walk import FreeVariables, in_order

SEED = 20210
CORNERS = (0, 1, 0x7F, 0x80, 0xFF)
KEPT = 1 << 14
"""Variables whose values are not made again."""
MAX_KEPT = 100_000
"""Terms whose values are kept."""


class Trials:
    """The values of terms for ``count`` inputs; what was found is kept for the next question.

    An input depends on the names and bounds of variables alone, not on what was asked before.
    ``bounds`` are those of names that are used with several.
    """

    def __init__(self, count: int, bounds: Mapping[str, tuple[int, int]] | None = None) -> None:
        self.count = count
        self._bounds = bounds or {}
        self._samples: dict[Term, Any] = {}
        self._free = FreeVariables()

    def value(self, term: Term) -> Samples:
        """What a term is for each input."""
        if len(self._samples) > MAX_KEPT:
            self._samples.clear()
            self._free = FreeVariables()
        for inner in in_order([term], self._samples):
            values: dict[str, Samples] = {}
            arrays: dict[str, Bytes] = {}
            if inner.op is VAR:
                low, high = self._bounds.get(inner.name, (inner.low, inner.high))
                values[inner.name] = _values(inner.name, inner.width, low, high, self.count)
            elif inner.op is ARRAY:
                arrays[inner.name] = partial(_bytes_of, inner.name, np.arange(self.count))
            self._samples[inner] = value_of(inner, self._samples, values, arrays, self.count)
        samples: Samples = self._samples[term]
        return samples

    def holding(self, conditions: Iterable[Term]) -> NDArray[np.bool_]:
        """The inputs for which all conditions hold and all variables are within their bounds."""
        conditions = list(conditions)
        fitting = self._fitting(conditions)
        holds = np.ones(self.count, dtype=bool)
        for condition in conditions:
            holds &= fitting.value(condition) != 0
            if not holds.any():
                return holds
        for variable in self._free.of(conditions):
            if variable.op is VAR:
                values = fitting.value(variable)
                holds &= (values >= variable.low) & (values <= variable.high)
        return holds

    def model(self, terms: Sequence[Term], number: int) -> Model:
        """One of the inputs that ``holding`` tried with these terms, as far as it matters."""
        fitting = self._fitting(terms)
        values: dict[str, int] = {}
        arrays: dict[str, bytes] = {}
        for variable in self._free.of(terms):
            if variable.op is VAR:
                values[variable.name] = int(fitting.value(variable)[number])
            else:
                numbers = np.full(ADDRESSES, number)
                data = _bytes_of(variable.name, numbers, np.arange(ADDRESSES, dtype=np.uint64))
                arrays[variable.name] = data.astype(np.uint8).tobytes()
        return Model(values, arrays)

    def _fitting(self, terms: Sequence[Term]) -> Trials:
        """These, but where one name has several bounds those within all of them."""
        bounds: dict[str, tuple[int, int]] = {}
        several: set[str] = set()
        for variable in self._free.of(terms):
            if variable.op is VAR:
                low, high = variable.low, variable.high
                if variable.name in bounds:
                    several.add(variable.name)
                    least, most = bounds[variable.name]
                    low, high = max(low, least), min(high, most)
                bounds[variable.name] = low, max(low, high)
        if not several:
            return self
        return Trials(self.count, {name: bounds[name] for name in bounds if name in several})


@dataclass(frozen=True, slots=True)
class TrialInputs:
    """Numbers for variables and memories for arrays, by their names."""

    values: dict[str, Samples]
    arrays: dict[str, Bytes]


def trials(free: Iterable[Term], count: int) -> TrialInputs:
    """So many inputs, within all bounds of the variables."""
    bounds: dict[str, tuple[int, int, int]] = {}
    arrays: dict[str, Bytes] = {}
    for term in sorted(free, key=lambda term: term.name):
        if term.op is ARRAY:
            arrays[term.name] = partial(_bytes_of, term.name, np.arange(count))
            continue
        width, low, high = bounds.get(term.name, (term.width, term.low, term.high))
        low, high = max(low, term.low), min(high, term.high)
        bounds[term.name] = width, low, max(low, high)
    return TrialInputs(
        {name: _values(name, *limits, count) for name, limits in bounds.items()}, arrays
    )


def random_of(name: str) -> np.random.Generator:
    """Random numbers that a name alone decides."""
    return np.random.default_rng([SEED, *name.encode()])


@lru_cache(KEPT)
def _values(name: str, width: int, low: int, high: int, count: int) -> Samples:
    """Corner values first, then random ones with a corner value now and then."""
    random = random_of(name)
    corners = [low, high, *(n for n in CORNERS if low < n < high), low + 1, max(low, high - 1)]
    samples: list[int] = []
    for number in range(count):
        if number < len(corners):
            value = corners[number]
        elif number % 4 == 0:
            value = corners[int(random.integers(len(corners)))]
        else:
            drawn = int.from_bytes(random.bytes(width // 8 + 8), "little")
            value = low + drawn % (high - low + 1)
        samples.append(value)
    values = np.array(samples, dtype=np.uint64 if width <= 64 else object)
    values.flags.writeable = False
    return values


@cache
def _memory(name: str) -> NDArray[np.uint64]:
    return random_of(name).integers(0, 256, ADDRESSES, dtype=np.uint64)


def _bytes_of(name: str, numbers: NDArray[Any], addresses: Samples) -> Samples:
    """The bytes of an array at an address in each of some trials: all 0, all $FF, then random."""
    values = _memory(name)[(addresses.astype(np.int64) + numbers * 7919) % ADDRESSES]
    return np.where(numbers == 0, 0, np.where(numbers == 1, 0xFF, values)).astype(np.uint64)


# ---------------------------------------------------------------- all inputs

MAX_INPUTS = 1 << 20
AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class AllInputs:
    """All values of some variables: the lowest and the highest of each name."""

    ranges: dict[str, tuple[int, int]]
    count: int

    def rows(self) -> Iterator[dict[str, Samples]]:
        """Some of them at a time."""
        for start in range(0, self.count, AT_ONCE):
            rest = np.arange(start, min(self.count, start + AT_ONCE), dtype=np.uint64)
            row: dict[str, Samples] = {"": rest}
            for name, (low, high) in self.ranges.items():
                size = np.uint64(high - low + 1)
                row[name] = rest % size + np.uint64(low)
                rest = rest // size
            yield row


def all_inputs(free: Iterable[Term]) -> AllInputs | None:
    """All values of variables; None when there are too many."""
    ranges: dict[str, tuple[int, int]] = {}
    for variable in sorted(free, key=lambda term: term.name):
        low, high = ranges.get(variable.name, (0, variable.high))
        ranges[variable.name] = max(low, variable.low), min(high, variable.high)
    count = 1
    for low, high in ranges.values():
        count *= max(0, high - low + 1)
    return AllInputs(ranges, count) if count <= MAX_INPUTS else None
