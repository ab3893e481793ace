"""The wall and the dice out of the players' seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeck.mjarcade.seed import SeedError, decode, key
from fairdeck.twister import Twister

FACES = 6
TILES = {4: 136, 3: 108}
"""Tiles by number of players."""

ASSUMED_TILES = (
    "which tile a number stands for is not published; assumed: number // 4 in the order "
    "characters, bamboos, circles, winds, dragons"
)
ASSUMED_THREE = (
    "the three-player form is not published; extrapolated: 15 words, 108 tiles, remainders by 108"
)
ASSUMED_TILES_OF_THREE = (
    "which tile a number stands for is not published; assumed: number // 4 in the order "
    "1 and 9 of characters, bamboos, circles, winds, dragons"
)
_TILES = {4: ASSUMED_TILES, 3: ASSUMED_TILES_OF_THREE}


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a round starts with.

    ``wall`` are the numbers after the swaps, ``dice`` faces 1..6. ``assumptions`` says what of
    it is not published, ``warnings`` what was passed over in malformed seeds.
    """

    wall: tuple[int, ...]
    dice: tuple[int, int]
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]


def deal(seeds: Sequence[str], uncertain: int, *, lenient: bool = False) -> Dealt:
    """The round of three or four players' seeds, in any order.

    ``uncertain`` is the value of the uncertain element, 0 or more. Raises SeedError.
    """
    if len(seeds) not in TILES:
        raise SeedError(f"{len(seeds)} seeds were given; a game has four players, or three")
    if uncertain < 0:
        raise SeedError(f"the uncertain element starts at 0; {uncertain} is impossible")
    decoded = [decode(seed, lenient=lenient) for seed in seeds]
    twister = Twister(key([player.words for player in decoded], uncertain))
    wall = swap_tiles(TILES[len(seeds)], twister)
    first, second = twister.words(2)
    three = (ASSUMED_THREE,) if len(seeds) == 3 else ()
    return Dealt(
        wall=tuple(wall),
        dice=(first % FACES + 1, second % FACES + 1),
        assumptions=(*three, _TILES[len(seeds)]),
        warnings=tuple(w for player in decoded for w in player.warnings),
    )


_ONES = 4
"""Tiles 1m of three players, behind which their 9m come."""
_LACKING = 7 * 4
"""Tiles 2m to 8m."""
_SUIT = 9 * 4


def tile_of(number: int, players: int = 4) -> int:
    """Our tile id (see fairdeck.tiles) of a number of the wall, as far as that is assumed.

    Bamboos come before circles there; three players lack 2m to 8m.
    """
    if players == 3 and number >= _ONES:
        number += _LACKING
    suit, rest = divmod(number, _SUIT)
    return number if suit in (0, 3) else (3 - suit) * _SUIT + rest


def swap_tiles(tiles: int, twister: Twister) -> list[int]:
    """0..tiles-1 after the published swaps: every place with any place, in turn.

    That is not a fair shuffle (see fairdeck.audit): a fair one would leave the places that
    had their turn alone.
    """
    wall = list(range(tiles))
    for j, number in enumerate(twister.words(tiles)):
        r = number % tiles
        wall[r], wall[j] = wall[j], wall[r]
    return wall
