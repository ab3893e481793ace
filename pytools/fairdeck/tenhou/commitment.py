"""The hash that Tenhou publishes before a game: SHA-512 of the seats and the seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from fairdeck.tenhou.seed import Seed

SEATS = 4


@dataclass(frozen=True, slots=True)
class Match:
    """The order of seats a commitment was made with; ``as_named`` if the names give that order."""

    seats: str
    as_named: bool


def seat_strings(names: Sequence[str]) -> tuple[str, ...]:
    """The seat orders that names (in order of seats, three or four) can stand for.

    Names sorted by code points are numbered from 0; digit k is the number of who sits in
    seat k. The absent fourth player is number 3. Equal names leave several orders possible.
    How Tenhou sorts names beyond its one published example is not known.
    """
    order = sorted(names)
    absent = tuple(range(len(names), SEATS))
    matches = [
        "".join(map(str, digits + absent))
        for digits in permutations(range(len(names)))
        if all(order[digit] == name for digit, name in zip(digits, names, strict=True))
    ]
    return tuple(matches)


def commitment(seats: str, seed: Seed) -> str:
    """The published hash, 128 lower-case hexadecimal digits.

    ``seats`` are four digits. The seed is hashed as text: two digits for each byte.
    """
    return hashlib.sha512((seats + seed.hex_text).encode("ascii")).hexdigest()


def find_seats(published: str, names: Sequence[str], seed: Seed) -> Match | None:
    """The order of seats that gives the hash ``published``, or None.

    The orders that the names give are tried first, then all others.
    """
    wanted = published.strip().lower()
    named = seat_strings(names)
    absent = "".join(map(str, range(len(names), SEATS)))
    others = ("".join(map(str, p)) + absent for p in permutations(range(len(names))))
    for seats in dict.fromkeys((*named, *others)):
        if commitment(seats, seed) == wanted:
            return Match(seats, seats in named)
    return None
