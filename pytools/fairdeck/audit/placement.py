"""Where a tile ends: the exact probability of every place for every tile of a sorted deck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt

from fairdeck.tarot.distribution import distribution
from fairdeck.tarot.draw import Reduction

WORDS = 1 << 32
"""Values a 32-bit number has, each equally likely."""


@dataclass(frozen=True)
class Placement:
    """``weights[i][p] / total`` is the probability that tile i ends at place p."""

    weights: tuple[tuple[int, ...], ...]
    total: int

    @property
    def size(self) -> int:
        """Tiles, and places."""
        return len(self.weights)

    def probability(self, tile: int, place: int) -> Fraction:
        """The exact probability."""
        return Fraction(self.weights[tile][place], self.total)

    @cached_property
    def ratios(self) -> tuple[tuple[float, ...], ...]:
        """By tile and place: the probability as a multiple of the fair one."""
        # the difference first: a deviation of 1e-8 must not drown in the rounding
        return tuple(
            tuple(1 + (w * self.size - self.total) / self.total for w in row)
            for row in self.weights
        )

    def _excess(self) -> Iterator[int]:
        for row in self.weights:
            for w in row:
                yield w * self.size - self.total

    @cached_property
    def lowest(self) -> Fraction:
        """The least deviation from a ratio of 1, over all cells (negative or 0)."""
        return Fraction(min(self._excess()), self.total)

    @cached_property
    def highest(self) -> Fraction:
        """The greatest deviation from a ratio of 1, over all cells."""
        return Fraction(max(self._excess()), self.total)

    @cached_property
    def mean_square(self) -> Fraction:
        """The mean square deviation of the ratios from 1."""
        return Fraction(sum(e * e for e in self._excess()), (self.total * self.size) ** 2)

    @property
    def rms(self) -> float:
        """The root of the mean square deviation of the ratios from 1."""
        return sqrt(self.mean_square)

    @cached_property
    def variations(self) -> tuple[Fraction, ...]:
        """By place: the total variation between the tile that ends there and a fair one."""
        distances = []
        for place in range(self.size):
            off = sum(abs(row[place] * self.size - self.total) for row in self.weights)
            distances.append(Fraction(off, 2 * self.size * self.total))
        return tuple(distances)


def remainder_weights(n: int) -> list[int]:
    """How many of the 2^32 values leave each remainder 0..n-1."""
    quotient, extra = divmod(WORDS, n)
    return [quotient + (remainder < extra) for remainder in range(n)]


def swap_each_with_any(n: int) -> Placement:
    """Place j = 0..n-1 in turn is swapped with a place drawn from all n (MJ Arcade).

    The draw is a 32-bit number's remainder by n, its unevenness included.
    """
    weights = remainder_weights(n)
    rows = []
    for tile in range(n):
        row = [0] * n
        row[tile] = 1
        for j in range(n):
            here = row[j]
            arriving = sum(w * p for w, p in zip(weights, row, strict=True))
            row = [p * (WORDS - w) + here * w for w, p in zip(weights, row, strict=True)]
            row[j] = arriving
        rows.append(tuple(row))
    return Placement(tuple(rows), WORDS**n)


def swap_each_with_later(n: int) -> Placement:
    """Place i = 0..n-2 in turn is swapped with one of i..n-1 (Tenhou): Fisher and Yates.

    The draw is a 32-bit number's remainder by n - i; were that even, so would be the shuffle.
    """
    draws = [remainder_weights(n - i) for i in range(n - 1)]
    rows = []
    for tile in range(n):
        row = [0] * n
        row[tile] = 1
        for i, weights in enumerate(draws):
            tail = row[i:]
            here = tail[0]
            arriving = sum(w * p for w, p in zip(weights, tail, strict=True))
            later = [p * (WORDS - w) + here * w for w, p in zip(weights, tail, strict=True)]
            row = [p * WORDS for p in row[:i]] + [arriving, *later[1:]]
        rows.append(tuple(row))
    return Placement(tuple(rows), WORDS ** (n - 1))


def tarot(cards: int, reduction: Reduction) -> Placement:
    """Place A = cards-1..1 in turn is swapped with one of 0..A, drawn from coin flips."""
    pmfs = {n: distribution(n, reduction).pmf for n in range(2, cards + 1)}
    draws = {n: _common(pmf) for n, pmf in pmfs.items()}
    rows = []
    total = 1
    for tile in range(cards):
        row = [0] * cards
        row[tile] = 1
        total = 1
        for place in range(cards - 1, 0, -1):
            weights, whole = draws[place + 1]
            here = row[place]
            head = row[: place + 1]
            arriving = sum(w * p for w, p in zip(weights, head, strict=True))
            moved = [p * (whole - w) + here * w for w, p in zip(weights, head, strict=True)]
            row = [*moved[:-1], arriving, *(p * whole for p in row[place + 1 :])]
            total *= whole
        rows.append(tuple(row))
    return Placement(tuple(rows), total)


def _common(pmf: Sequence[Fraction]) -> tuple[list[int], int]:
    """The probabilities as whole numbers over one denominator."""
    whole = lcm(*(p.denominator for p in pmf))
    return [int(p * whole) for p in pmf], whole
