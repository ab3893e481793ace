"""The step before a game's seed: what Tenhou's root generator gives to each game.

The operator's description: a generator that all games share gives four numbers for the order of
the seats and 624 for the game's own generator. Its own key is never published, so that nobody can
check this step of a played game; the model shows what could be, were it known.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairdeck.tenhou.commitment import SEATS, commitment
from fairdeck.tenhou.seed import BASE64, Seed, parse_seed
from fairdeck.twister import Twister

SEAT_NUMBERS = 4
"""Outputs a game takes for its seats; of four players three are used, of three two."""
SEED_NUMBERS = 624
"""Outputs it then takes as the key of its own generator."""

ASSUMED_SEATS = (
    "how the numbers order the seats is published in part: the number of numbers; assumed: the "
    "swaps that shuffle the wall"
)


@dataclass(frozen=True, slots=True)
class RootGame:
    """What a game gets. ``seats`` are four digits as in a commitment, ``text`` is the log's seed.

    Digit k of ``seats`` is the number of who sits in seat k, by the players' names in order.
    """

    seats: str
    text: str

    @property
    def seed(self) -> Seed:
        """The seed as the model of the walls takes it."""
        return parse_seed(self.text)

    @property
    def published(self) -> str:
        """The hash that is published before the game."""
        return commitment(self.seats, self.seed)


def games(root: Sequence[int], players: int = 4) -> Iterator[RootGame]:
    """The games that follow from the root generator's key (words of 32 bits), without end.

    ``players`` are three or four. All games of a root take the same number of outputs.
    """
    twister = Twister(root)
    while True:
        numbers = twister.words(SEAT_NUMBERS)
        data = struct.pack(f"<{SEED_NUMBERS}I", *twister.words(SEED_NUMBERS))
        text = f"{BASE64},{base64.b64encode(data).decode('ascii')}"
        yield RootGame(seat_order(numbers, players), text)


def seat_order(numbers: Sequence[int], players: int = 4) -> str:
    """The order of seats out of the root's numbers: one swap less than there are players.

    An absent fourth player keeps number 3. See ASSUMED_SEATS.
    """
    seats = list(range(SEATS))
    for i in range(players - 1):
        j = i + numbers[i] % (players - i)
        seats[i], seats[j] = seats[j], seats[i]
    return "".join(map(str, seats))
