"""The exact distribution of a draw and of a shuffle, as rational numbers.

How often v was doubled and reduced depends on the number of flips alone, not
on how they fell, and given that a draw is still open, c is uniform over a
range that ends at v - 1. So the whole draw is a chain of rounds (lowest c, v),
each with the probability that it is reached. The chain either ends, when v
comes to n exactly, or comes back to a round it has been in; what then repeats
is a geometric series.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate

from fairdeck.tarot.draw import DrawError, Reduction
from fairdeck.tarot.shuffle import CARDS


@dataclass(frozen=True, slots=True)
class Distribution:
    """A draw below ``n``: ``pmf[i]`` is the probability of i, ``expected_flips`` the mean cost."""

    n: int
    reduction: Reduction
    pmf: tuple[Fraction, ...]
    expected_flips: Fraction

    @property
    def total_variation(self) -> Fraction:
        """Half the sum of the distances from the uniform distribution."""
        fair = Fraction(1, self.n)
        return sum((abs(p - fair) for p in self.pmf), Fraction(0)) / 2

    def runs(self) -> tuple[tuple[int, int, Fraction], ...]:
        """The pmf as (first, last, probability), equal neighbours together."""
        stretches: list[tuple[int, int, Fraction]] = []
        for value, p in enumerate(self.pmf):
            if stretches and stretches[-1][2] == p:
                stretches[-1] = (stretches[-1][0], value, p)
            else:
                stretches.append((value, value, p))
        return tuple(stretches)


@dataclass(frozen=True, slots=True)
class _Round:
    """Doublings until v reaches n: c is then uniform over low..v-1.

    ``reached`` is the probability of coming here; ``flips`` the doublings.
    """

    low: int
    v: int
    flips: int
    reached: Fraction

    def accepted(self, n: int) -> Fraction:
        """The probability that the draw ends here."""
        return self.reached * Fraction(n - self.low, self.v - self.low)


def distribution(n: int, reduction: Reduction = Reduction.CORRECT) -> Distribution:
    """The exact distribution of a draw below ``n``. Raises DrawError when n < 2."""
    if n < 2:
        raise DrawError(f"cannot draw from {n} numbers: there must be at least 2")
    rounds, repeat_from = _rounds(n, reduction)
    rises = [Fraction(0)] * n  # pmf[i] - pmf[i - 1]: a round adds the same to all from low on
    flips = Fraction(0)
    weight = Fraction(1)
    for index, here in enumerate(rounds):
        if repeat_from is not None and index == repeat_from.index:
            weight = 1 / (1 - repeat_from.ratio)
        flips += here.reached * here.flips * weight
        rises[here.low] += here.accepted(n) / (n - here.low) * weight
    return Distribution(n, reduction, tuple(accumulate(rises)), flips)


@dataclass(frozen=True, slots=True)
class _Repeat:
    """From round ``index`` on the chain repeats, each time ``ratio`` times as likely."""

    index: int
    ratio: Fraction


def _rounds(n: int, reduction: Reduction) -> tuple[list[_Round], _Repeat | None]:
    """The chain of rounds up to its end, or up to where it repeats."""
    rounds: list[_Round] = []
    seen: dict[tuple[int, int], tuple[int, Fraction]] = {}
    low, v, reached = 0, 1, Fraction(1)
    while True:
        if (low, v) in seen:
            index, first = seen[low, v]
            return rounds, _Repeat(index, reached / first)
        seen[low, v] = len(rounds), reached
        flips = 0
        while v < n:
            low, v, flips = low * 2, v * 2, flips + 1
        here = _Round(low, v, flips, reached)
        rounds.append(here)
        reached -= here.accepted(n)
        if v == n:
            return rounds, None
        low, v = n - reduction.amount(n), v - reduction.amount(n)


@cache
def expected_shuffle_flips(
    cards: int = CARDS, reduction: Reduction = Reduction.CORRECT
) -> Fraction:
    """The mean number of flips of a whole shuffle of ``cards`` cards."""
    draws = (distribution(n, reduction) for n in range(2, cards + 1))
    return sum((d.expected_flips for d in draws), Fraction(0))


def placement(
    card: int, cards: int = CARDS, reduction: Reduction = Reduction.CORRECT
) -> tuple[Fraction, ...]:
    """The probability of each offset for the card that started at offset ``card``.

    One shuffle of a sorted deck of ``cards`` cards; fair is 1 / cards everywhere.
    """
    at = [Fraction(0)] * cards
    at[card] = Fraction(1)
    for place in range(cards - 1, 0, -1):
        pmf = distribution(place + 1, reduction).pmf
        here = at[place]
        at[place] = sum((p * q for p, q in zip(pmf, at, strict=False)), Fraction(0))
        for drawn in range(place):
            at[drawn] += pmf[drawn] * (here - at[drawn])
    return tuple(at)
