"""The hash that Tenhou publishes before a game: SHA-512 of the seats and the seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, permutations

from fairdeck.tenhou.seed import Seed

SEATS = 4
_UNREADABLE = "�"
"""Stands for bytes of a name that are no UTF-8."""


class SeatsUnchecked(Enum):
    """Why the order of seats in a commitment cannot be held against the log's players."""

    NO_NAMES = "no names"
    """The log does not name its players, or not all of them."""
    EQUAL_NAMES = "equal names"
    """Some are called the same, so that either may be the one or the other."""
    SORTING = "sorting"
    """Some are sorted differently by the usual ways to sort text, and which is Tenhou's is not
    known beyond its one published example."""
    FIRST_DEALER = "first dealer"
    """The first seat of the log is not that of the first dealer."""


class SeatsFit(Enum):
    """How the order of seats in a commitment stands to the log's players."""

    AS_NAMED = "as named"
    OTHER = "other"
    UNCHECKED = "unchecked"


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


def find_seats(
    published: str, names: Sequence[str], seed: Seed, players: int | None = None
) -> Match | None:
    """The order of seats that gives the hash ``published``, or None.

    The orders that the names give are tried first, then all others of ``players``, by default as
    many as there are names.
    """
    wanted = published.strip().lower()
    count = len(names) if players is None else players
    named = seat_strings(names) if names else ()
    absent = "".join(map(str, range(count, SEATS)))
    others = ("".join(map(str, p)) + absent for p in permutations(range(count)))
    for seats in dict.fromkeys((*named, *others)):
        if commitment(seats, seed) == wanted:
            return Match(seats, seats in named)
    return None


Key = Callable[[str], "str | bytes | None"]
"""What a way to sort compares of a name; None for a name that it cannot write."""


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _shift_jis(name: str) -> bytes | None:
    try:
        return name.encode("cp932")
    except UnicodeEncodeError:
        return None


_KEYS: tuple[Key, ...] = (str, str.casefold, _utf16, _shift_jis)
"""The usual ways to sort names: by code points (so UTF-8 does, escaped as well), without
regard to case, by units of UTF-16, by Shift JIS. The published example, which has katakana
behind hiragana, fits all of them and no dictionary's order."""


def sure_order(one: str, other: str) -> int | None:
    """-1 where ``one`` comes first however names are sorted, 1 where ``other`` does, else None."""
    if not one or not other or _UNREADABLE in one + other:
        return None
    orders = set()
    for key in _KEYS:
        mine, its = key(one), key(other)
        if mine is not None and its is not None:
            orders.add((mine > its) - (mine < its))  # type: ignore[operator]
    return orders.pop() if len(orders) == 1 and 0 not in orders else None


def why_unchecked(names: Sequence[str], first_dealer: int) -> SeatsUnchecked | None:
    """Why the players do not tell their order in a commitment; None: they do."""
    if not all(names) or not names:
        return SeatsUnchecked.NO_NAMES
    if first_dealer:
        return SeatsUnchecked.FIRST_DEALER
    if len(set(names)) < len(names):
        return SeatsUnchecked.EQUAL_NAMES
    if any(sure_order(one, other) is None for one, other in combinations(names, 2)):
        return SeatsUnchecked.SORTING
    return None


def seats_fit(seats: str, names: Sequence[str], first_dealer: int) -> SeatsFit:
    """Whether the players sit as a commitment's ``seats`` say.

    Where the order of some names is not known, those of which it is have to sit right all the
    same: an order that contradicts them is another one beyond doubt.
    """
    why = why_unchecked(names, first_dealer)
    if first_dealer:
        return SeatsFit.UNCHECKED
    for (one, its), (other, others) in combinations(zip(names, seats, strict=False), 2):
        order = sure_order(one, other)
        if order is not None and (its > others) - (its < others) != order:
            return SeatsFit.OTHER
    return SeatsFit.AS_NAMED if why is None else SeatsFit.UNCHECKED
