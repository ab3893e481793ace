"""The systems compared: what each lets a player verify, in plain words, and how fair it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, log2

from fairdeck.audit.placement import (
    Placement,
    swap_each_with_any,
    swap_each_with_later,
    tarot,
)
from fairdeck.tarot.draw import Reduction

_TAROT, _FOUR = 78, 136


@dataclass(frozen=True, slots=True)
class System:
    """One way to shuffle.

    ``seed_bits`` is the size of what everything follows from, ``orders`` how many different
    results a shuffle could have. The texts answer: who could have chosen the seed, what is fixed
    when, what is made public when, and what a player can and cannot check. ``placement`` is the
    exact table; it and ``seed_bits`` are None where the operator does not publish the shuffle.
    ``reduction`` is the variant of the tarot ROMs that can be sampled, None for others.
    """

    name: str
    title: str
    tiles: int
    cause: str
    seed_bits: float | None
    orders: int
    chosen_by: str
    committed: str
    revealed: str
    verifiable: str
    unverifiable: str
    placement: Callable[[], Placement] | None
    reduction: Reduction | None = None

    @property
    def order_bits(self) -> float:
        """log2 of the number of different results."""
        return log2(Fraction(self.orders))


_COPIES = 4


def _distinct_walls(tiles: int) -> int:
    """Orders of the wall when the four copies of a kind are alike."""
    alike: int = factorial(_COPIES) ** (tiles // _COPIES)
    return factorial(tiles) // alike


SYSTEMS = (
    System(
        name="tarot",
        title="tarot shuffle, correct draw",
        tiles=_TAROT,
        cause=(
            "none in the method, a Fisher-Yates shuffle with a fair draw from coin flips; the "
            "flips of a 32-bit register are linear, which leaves 0.26 % (rms): --on shows it"
        ),
        seed_bits=32,
        orders=factorial(_TAROT),
        chosen_by="the person who sets the 32-bit register; on a console, the moment of a "
        "button press",
        committed="nothing by default; a table can agree on a seed beforehand",
        revealed="the register can be read at any time, and it determines all later decks",
        verifiable="with the seed, the whole deck and every later deck",
        unverifiable="the origin of the seed",
        placement=lambda: tarot(_TAROT, Reduction.CORRECT),
        reduction=Reduction.CORRECT,
    ),
    System(
        name="tarot-printed",
        title="tarot shuffle as printed",
        tiles=_TAROT,
        cause="an overshooting draw subtracts n-1 instead of n, so low numbers are too rare",
        seed_bits=32,
        orders=factorial(_TAROT),
        chosen_by="as above",
        committed="as above",
        revealed="as above",
        verifiable="as above",
        unverifiable="as above",
        placement=lambda: tarot(_TAROT, Reduction.PRINTED),
        reduction=Reduction.PRINTED,
    ),
    System(
        name="tenhou",
        title="Tenhou, four players",
        tiles=_FOUR,
        cause="the remainders of a 32-bit number are not quite equally likely",
        seed_bits=624 * 32,
        orders=_distinct_walls(_FOUR),
        chosen_by=(
            "the operator alone: the seed of a game comes from a generator whose own seed is "
            "never published, so it could be picked from many"
        ),
        committed=(
            "the SHA-512 of seats and seed, published before the game: after that, neither "
            "walls nor seats can be changed"
        ),
        revealed="the seed, in the log after the game; it determines the wall and dice of every "
        "round",
        verifiable=(
            "every tile, die and indicator of every round, and that the seed matches the commitment"
        ),
        unverifiable=(
            "that the seed was not picked, or seats arranged, before the hash was published"
        ),
        placement=lambda: swap_each_with_later(_FOUR),
    ),
    System(
        name="mjarcade",
        title="MJ Arcade, four players",
        tiles=_FOUR,
        cause="each place is swapped with any place, which cannot be even (136^136 / 136!)",
        seed_bits=4 * 160 + 32,
        orders=_distinct_walls(_FOUR),
        chosen_by=(
            "the operator: each player's seed is drawn by a secret method when the player "
            "joins; the discards of all players then change every later wall"
        ),
        committed="nothing; players cannot see each other's seeds",
        revealed="all seeds and the uncertain element, after the game",
        verifiable="that a wall follows from the seeds shown afterwards",
        unverifiable=(
            "that the seeds shown are those of the game's beginning: without a commitment they "
            "could be fitted to the walls"
        ),
        placement=lambda: swap_each_with_any(_FOUR),
    ),
    System(
        name="mahjongsoul",
        title="Mahjong Soul, four players",
        tiles=_FOUR,
        cause="not known: the shuffle is not published",
        seed_bits=None,
        orders=_distinct_walls(_FOUR),
        chosen_by=(
            "the operator alone: the origin of a wall is not published, so each round's wall "
            "could be picked"
        ),
        committed=(
            "each round's wall when the round begins: since 2023 by the SHA-256 of the wall and "
            "a salt, before that by an MD5 (without the dealt hands, as a player reports); "
            "nothing before the game, and nothing about the seats"
        ),
        revealed="each round's wall and salt, in the record after the game; no seed, no method",
        verifiable=(
            "that a round's wall was fixed when the round began (mahjongsoul verify): the input "
            "of the SHA-256 is known from a record; that of the older MD5 is not"
        ),
        unverifiable=(
            "that walls and seats were not picked, or made to suit players; that one round's wall "
            "does not depend on how the last one ended"
        ),
        placement=None,
    ),
)
"""Side by side. What is said of each system comes from its operator's own published description,
of Mahjong Soul also from players' accounts of what it shows."""
