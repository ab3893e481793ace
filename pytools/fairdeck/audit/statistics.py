"""What of a sample is noise: each figure beside what a fair shuffle would show, and a test.

With N fair shuffles of n cards the count of a cell, a card at a place, is binomial, and its
ratio to N / n has the standard deviation sqrt((n - 1) / N). The sum of (O - E)^2 / E over all
cells, times (n - 1) / n, then is chi-square with (n - 1)^2 degrees of freedom: rows and columns
of the counts have fixed sums. Against a table that is not even, the same is an approximation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import erfc, expm1, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from fairdeck.audit.placement import Placement
from fairdeck.audit.sample import Sample

FloatTable = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cell:
    """The ratio of a cell, how many standard deviations it is from fair, and how probable it is
    that a fair shuffle has one as far off among all cells."""

    tile: int
    place: int
    ratio: float
    z: float
    p: float


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A chi-square with its degrees of freedom; ``z`` is how many standard deviations it is above
    its mean, ``p`` how probable one as great is (Wilson and Hilferty's approximation)."""

    statistic: float
    degrees: int

    @property
    def z(self) -> float:
        """In standard deviations above the mean."""
        return (self.statistic - self.degrees) / sqrt(2 * self.degrees)

    @property
    def p(self) -> float:
        """The probability of one as great or greater."""
        third = 2 / (9 * self.degrees)
        root = (self.statistic / self.degrees) ** (1 / 3)
        return _above((root - (1 - third)) / sqrt(third))


@dataclass(frozen=True, slots=True)
class Variation:
    """The total variation between the cards at a place and even ones, the place's, beside its
    mean for a fair shuffle of that many, in standard deviations above it, and how probable it is
    that a fair shuffle has a place as far off."""

    place: int
    value: float
    noise: float
    z: float
    p: float


@dataclass(frozen=True)
class Figures:
    """The figures of a sample; ``noise`` is the standard deviation of a ratio if all is fair."""

    sample: Sample
    exact: Placement

    @cached_property
    def size(self) -> int:
        """Cards, and places."""
        return len(self.sample.counts)

    @cached_property
    def noise(self) -> float:
        """The standard deviation of a cell's ratio for fair shuffles; their expected rms too."""
        return sqrt((self.size - 1) / self.sample.shuffles)

    @cached_property
    def ratios(self) -> FloatTable:
        """By card and place: the share as a multiple of the fair one."""
        return np.asarray(self.sample.counts * (self.size / self.sample.shuffles), np.float64)

    @cached_property
    def deviations(self) -> FloatTable:
        """By card and place: how far the ratio is from 1, in standard deviations of noise."""
        return np.asarray((self.ratios - 1) / self.noise, np.float64)

    @property
    def lowest(self) -> Cell:
        """The cell with the least ratio."""
        return self._cell(int(np.argmin(self.ratios)))

    @property
    def highest(self) -> Cell:
        """The cell with the greatest ratio."""
        return self._cell(int(np.argmax(self.ratios)))

    def _cell(self, number: int) -> Cell:
        tile, place = divmod(number, self.size)
        z = float(self.deviations[tile, place])
        p = _once_of(2 * _above(abs(z)), self.size**2)
        return Cell(tile, place, float(self.ratios[tile, place]), z, p)

    @property
    def rms(self) -> float:
        """The root of the mean square of the ratios less 1, noise included."""
        return float(sqrt(np.mean((self.ratios - 1) ** 2)))

    @property
    def beyond_noise(self) -> float:
        """The part of ``rms`` that noise does not account for; 0 when there is none."""
        return sqrt(max(0.0, self.rms**2 - self.noise**2))

    @property
    def fair(self) -> ChiSquare:
        """Against a fair shuffle."""
        return self._against(np.full_like(self.ratios, 1 / self.size))

    @property
    def model(self) -> ChiSquare:
        """Against the exact table, which takes coin flips as independent."""
        exact = np.array(self.exact.ratios) / self.size
        return self._against(exact)

    def _against(self, probabilities: FloatTable) -> ChiSquare:
        expected = probabilities * self.sample.shuffles
        total = float((((self.sample.counts - expected) ** 2) / expected).sum())
        return ChiSquare(total * (self.size - 1) / self.size, (self.size - 1) ** 2)

    @property
    def worst_place(self) -> Variation:
        """The place with the greatest total variation."""
        distances = np.abs(self.ratios - 1).sum(axis=0) / (2 * self.size)
        place = int(np.argmax(distances))
        # the mean of |x| is sqrt(2 / pi) for a normal x, its variance 1 - 2 / pi
        mean = self.noise * sqrt(2 / pi) / 2
        spread = self.noise * sqrt((1 - 2 / pi) / self.size) / 2
        z = (float(distances[place]) - mean) / spread
        return Variation(place, float(distances[place]), mean, z, _once_of(_above(z), self.size))


def _above(z: float) -> float:
    """The probability that a normal variable is greater than z."""
    return erfc(z / sqrt(2)) / 2


def _once_of(p: float, times: int) -> float:
    """The probability that something happens at least once in so many independent trials."""
    return 1.0 if p >= 1 else -expm1(times * log1p(-p))
