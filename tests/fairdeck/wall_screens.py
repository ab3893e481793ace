"""What the wall ROM shows, tile by tile, as docs/roms.md says it: 18 rows of 20."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fairdeck.tenhou.wall import Round
from fairdeck.tiles import RED_FIVES

ROWS, COLUMNS = 18, 20
_TEXT = (Path(__file__).parents[2] / "rom" / "art" / "wall.txt").read_text("utf-8")
TILE = {
    name: int(number, 16)
    for number, name in re.findall(r"^picture \$(\w\w) \S+ (\w+)", _TEXT, re.M)
}
"""By name."""
_SEATS = ("EAST", "SOUTH", "WEST", "NORTH")


class Shown:
    """A screen of blanks, to be written on."""

    def __init__(self) -> None:
        self.rows = [bytearray(b" " * COLUMNS) for _ in range(ROWS)]

    def put(self, row: int, column: int, what: str | bytes) -> None:
        """Text, or tiles, at a place."""
        data = what.encode("ascii") if isinstance(what, str) else what
        assert column + len(data) <= COLUMNS, what
        self.rows[row][column : column + len(data)] = data

    def put_tiles(self, row: int, column: int, tiles: Sequence[int]) -> None:
        """Mahjong tiles by their ids."""
        pictures = [picture(tile) for tile in tiles]
        for half in range(2):
            self.put(row + half, column, bytes(one[half] for one in pictures))


def picture(tile: int) -> tuple[int, int]:
    """The upper and the lower half."""
    suit, number = divmod(tile // 4, 9)
    if suit == 3:
        first = TILE["honour"] + 2 * number
        return first, first + 1
    if tile in RED_FIVES:
        return TILE["red_number"], TILE["red_suit"] + suit
    return TILE["number"] + number, TILE["suit"] + suit


def choose(key: bytes, chosen: int) -> list[bytearray]:
    """Which round."""
    shown = Shown()
    shown.put(0, 4, "TENHOU WALL")
    shown.put(2, 0, f"KEY {key[:8].hex().upper()}")
    shown.put(5, 4, f"< ROUND {chosen:02} >")
    shown.put(8, 1, "UP DOWN: ONE")
    shown.put(10, 1, "RIGHT LEFT: TEN")
    shown.put(12, 1, "START: MAKE IT")
    return shown.rows


def hands(number: int, made: Round) -> list[bytearray]:
    """The hands of a round."""
    shown = Shown()
    shown.put(0, 0, f"ROUND {number:02} DORA")
    shown.put_tiles(0, 14, [made.dora])
    for i, face in enumerate(made.dice):
        first = TILE["die"] + 4 * (face - 1)
        shown.put(0, 16 + 2 * i, bytes([first, first + 1]))
        shown.put(1, 16 + 2 * i, bytes([first + 2, first + 3]))
    for i, (seat, hand) in enumerate(zip(_SEATS, made.hands(), strict=True)):
        shown.put(3 + 3 * i, 14, seat)
        shown.put_tiles(3 + 3 * i, 0, sorted(hand))
    shown.put(17, 0, "A: WALL  B: ROUND")
    return shown.rows


def wall(number: int, made: Round) -> list[bytearray]:
    """The rest of the wall."""
    shown = Shown()
    shown.put(0, 0, f"ROUND {number:02}")
    shown.put(0, 10, "LIVE WALL")
    first = made.table.first_draw
    live = [made.wall[first - i] for i in range(made.table.draws)]
    for line in range(4):
        shown.put_tiles(2 + 2 * line, 0, live[20 * line : 20 * line + 20])
    shown.put(11, 8, "DEAD WALL")
    for row, label, layer in ((12, "UPPER", made.pairs.dora), (14, "LOWER", made.pairs.ura)):
        shown.put(row + 1, 8, label)
        shown.put_tiles(row, 0, [made.wall[2 * pair + layer] for pair in range(7)])
    shown.put(17, 0, "A: HANDS B: ROUND")
    return shown.rows
