"""What the tarot ROMs show, tile by tile, as docs/roms.md says it: 18 rows of 20."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from fairdeck.tarot.cards import MAJOR_ARCANA, NAMES, RANKS
from fairdeck.tarot.shuffle import SORTED

ROWS, COLUMNS = 18, 20
SPREAD, IN_ROW = 3, 5
TURNED = 0x40
_ART = Path(__file__).parents[2] / "rom" / "art"
TILE: dict[str, int] = {
    name: int(number, 16)
    for source in ("font", "screen", "cards")
    for number, name in re.findall(
        r"^(?:picture|like) \$(\w\w) \S+ (\w+)", (_ART / f"{source}.txt").read_text("utf-8"), re.M
    )
}
"""By name."""
DIGIT = 0x90
_SUITS = ("major", "wands", "cups", "swords", "pentacles")
_COURTS = {0: "a", 10: "pg", 11: "kn", 12: "qu", 13: "ki"}


@dataclass
class Shown:
    """What the ROM's variables say."""

    seed: int = 0x12345678
    number: int = 0
    turned: int = 0
    pointer: int = 0
    deck: tuple[int, ...] = SORTED
    reversed: tuple[bool, ...] = (False,) * len(SORTED)
    refused: bool = False
    rows: list[bytearray] = field(
        default_factory=lambda: [bytearray(b" " * COLUMNS) for _ in range(ROWS)]
    )

    def put(self, row: int, column: int, what: str | bytes) -> None:
        """Text, or tiles, at a place."""
        data = what.encode("ascii") if isinstance(what, str) else what
        assert column + len(data) <= COLUMNS, what
        self.rows[row][column : column + len(data)] = data

    def title(self) -> list[bytearray]:
        """The title."""
        for i, letter in enumerate("tarot"):
            first = TILE[f"big_{letter}"]
            self.put(1, 5 + 2 * i, bytes([first, first + 1]))
            self.put(2, 5 + 2 * i, bytes([first + 2, first + 3]))
        self.put(3, 4, bytes([TILE["ornament"]]) * 12)
        for i in range(SPREAD):
            self.put_card(4, 7 * i, back())
        self.put(13, 3, "START: SHUFFLE")
        self.put(15, 1, "SELECT: TYPE A SEED")
        self.put(17, 6, "FAIRDECK")
        return self.rows

    def typing(self) -> list[bytearray]:
        """A seed is typed."""
        self.put(0, 4, "TYPE A SEED")
        for i, digit in enumerate(f"{self.seed:08X}"):
            self.put(2, 2 + 2 * i, digit)
        self.put(3, 2 + 2 * self.pointer, bytes([TILE["pointer_up"]]))
        self.put(5, 1, "LEFT RIGHT: CHOOSE")
        self.put(7, 1, "UP DOWN: CHANGE")
        self.put(9, 1, "START: SHUFFLE")
        self.put(11, 1, "B: BACK")
        if self.refused:
            self.put(14, 1, "00000000 IS REFUSED")
            self.put(16, 1, "IT NEVER CHANGES")
        return self.rows

    def spread(self) -> list[bytearray]:
        """Three cards."""
        self.put(0, 0, f"SEED {self.seed:08X} #{self.number}")
        for i in range(SPREAD):
            if i >= self.turned:
                self.put_card(2, 7 * i, back())
                continue
            self.put_card(2, 7 * i, face(self.deck[i], self.reversed[i]))
            name = NAMES[self.deck[i]].upper()
            self.put(11 + 2 * i, 0, f"{i + 1}{name:>19}" if len(name) == 19 else f"{i + 1} {name}")
            self.put(12 + 2 * i, 2, self.lies(i))
        self.put(17, 1, "A: TURN A CARD" if self.turned < SPREAD else "SELECT: THE REST")
        return self.rows

    def rest(self) -> list[bytearray]:
        """The other cards."""
        self.put(0, 0, f"SEED {self.seed:08X} #{self.number}")
        for place in range(SPREAD, len(self.deck)):
            row, column = divmod(place - SPREAD, IN_ROW)
            self.put(1 + row, 4 * column + 1, small(self.deck[place], self.reversed[place]))
            if place == self.pointer:
                self.put(1 + row, 4 * column, bytes([TILE["pointer_right"]]))
        self.put(16, 0, NAMES[self.deck[self.pointer]].upper())
        self.put(17, 0, self.lies(self.pointer))
        self.put(17, 12, f"CARD {self.pointer + 1}")
        return self.rows

    def lies(self, place: int) -> str:
        """How a card lies."""
        return "REVERSED" if self.reversed[place] else "UPRIGHT"

    def put_card(self, row: int, column: int, cells: bytes) -> None:
        """The 48 tiles of a card."""
        for line in range(8):
            self.put(row + line, column, cells[6 * line : 6 * line + 6])


def rank(card: int) -> tuple[int, bytes]:
    """The suit, 0 for the major arcana, and the two tiles of the rank."""
    suit, number = 0, card
    if card >= len(MAJOR_ARCANA):
        suit, number = divmod(card - len(MAJOR_ARCANA), len(RANKS))
        suit, number = suit + 1, number + 1
        if number - 1 in _COURTS:
            letters = bytes(TILE[f"rank_{letter}"] for letter in _COURTS[number - 1])
            return suit, letters.ljust(2, bytes([TILE["paper"]]))
    digits = bytes(DIGIT + int(digit) for digit in str(number))
    return suit, digits.ljust(2, bytes([TILE["paper"]]))


def small(card: int, is_reversed: bool) -> bytes:
    """A card as three tiles."""
    suit, tiles = rank(card)
    return turned(bytes([*tiles, TILE[f"small_{_SUITS[suit]}"]]), is_reversed)


def turned(tiles: bytes, is_reversed: bool) -> bytes:
    """The tiles after half a turn, if they lie so."""
    return bytes(tile ^ TURNED for tile in reversed(tiles)) if is_reversed else tiles


def face(card: int, is_reversed: bool) -> bytes:
    """A card as 48 tiles."""
    suit, (one, two) = rank(card)
    paper, big = TILE["paper"], TILE[f"emblem_{_SUITS[suit]}"]
    lines = [[paper] * 4 for _ in range(6)]
    lines[0] = [one, two, paper, TILE[f"small_{_SUITS[suit]}"]]
    lines[2][1:3] = big, big + 1
    lines[3][1:3] = big + 2, big + 3
    return turned(_framed(lines), is_reversed)


def back() -> bytes:
    """A card that lies face down."""
    return _framed([[TILE["back"]] * 4 for _ in range(6)])


def edge() -> bytes:
    """A card while it turns."""
    blank = ord(" ")
    parts = ("edge_top", *["edge_side"] * 6, "edge_bottom")
    return b"".join(
        bytes([blank, blank, TILE[part], TILE[part] + 1, blank, blank]) for part in parts
    )


def _framed(lines: list[list[int]]) -> bytes:
    top, bottom = (
        [TILE[f"frame_{side}_left"], *[TILE[f"frame_{side}"]] * 4, TILE[f"frame_{side}_right"]]
        for side in ("top", "bottom")
    )
    middle = [[TILE["frame_left"], *line, TILE["frame_right"]] for line in lines]
    return bytes(tile for line in (top, *middle, bottom) for tile in line)


def difference(found: list[bytes], wanted: list[bytearray]) -> str:
    """The first row that differs, for people; empty if none does."""
    for row, (one, other) in enumerate(zip(found, wanted, strict=True)):
        if one != other:
            columns = [i for i in range(COLUMNS) if one[i] != other[i]]
            return f"row {row}, columns {columns}:\nfound  {one.hex(' ')}\nwanted {other.hex(' ')}"
    return ""
