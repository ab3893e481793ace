"""The NES's picture read back as tiles: a golden file that people can read.

A cell is two signs: a letter and a blank, or a tile's number. What no tile looks like is ``??``.
Below the tiles stand the palettes, a sign a cell: by the groups of colours in rom/tarot-nes/ppu.s.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

SIDE = 8
TILES = 256
COLUMNS, ROWS = 32, 30
LEFT, TOP, WIDE, HIGH = 6, 6, 20, 18
"""Where the screen of docs/roms.md lies in the picture."""
PAPER, INK = (236, 238, 236), (0, 0, 0)
COLOURS = {
    "t": ((76, 154, 236), (48, 50, 236)),
    "m": ((176, 98, 236), (136, 20, 176)),
    "w": ((116, 196, 0), (8, 124, 0)),
    "c": ((236, 106, 100), (152, 34, 32)),
    "s": ((56, 180, 204), (0, 102, 120)),
    "p": ((160, 170, 0), (84, 90, 0)),
}
"""Light and dark of each group, as cynes shows them: text, major arcana, and the four suits."""

Shades = tuple[int, ...]
"""64 shades 0 to 3, line by line."""


def tiles_of(rom: bytes) -> dict[Shades, int]:
    """How the tiles look that the ROM's last 8 KiB hold, each by its lowest number from $20 on."""
    patterns = rom[-0x2000:]
    found: dict[Shades, int] = {}
    for number in range(0x20, TILES):
        tile = patterns[16 * number : 16 * number + 16]
        shades = tuple(
            (tile[y] >> 7 - x & 1) | (tile[y + SIDE] >> 7 - x & 1) << 1
            for y in range(SIDE)
            for x in range(SIDE)
        )
        found.setdefault(shades, number)
    return found


def cells(picture: Any, tiles: dict[Shades, int]) -> list[list[tuple[int | None, str]]]:
    """Tile and palette of each cell; None what no tile looks like; "." what all palettes share."""
    return [
        [
            _cell(
                picture[SIDE * row : SIDE * row + SIDE, SIDE * column : SIDE * column + SIDE], tiles
            )
            for column in range(COLUMNS)
        ]
        for row in range(ROWS)
    ]


def _cell(pixels: Any, tiles: dict[Shades, int]) -> tuple[int | None, str]:
    colours = [tuple(int(part) for part in pixel) for line in pixels for pixel in line]
    there = set(colours) - {PAPER, INK}
    for name, (light, dark) in COLOURS.items():
        if there <= {light, dark}:
            shades = {PAPER: 0, light: 1, dark: 2, INK: 3}
            number = tiles.get(tuple(shades[colour] for colour in colours))
            return number, name if there else "."
    return None, "?"


def as_text(picture: Any, tiles: dict[Shades, int]) -> str:
    """The screen in the middle of the picture; the rest has to be blank."""
    found = cells(picture, tiles)
    outside = [
        f"row {row - TOP}, column {column - LEFT}: {_sign(found[row][column][0])}"
        for row in range(ROWS)
        for column in range(COLUMNS)
        if not (TOP <= row < TOP + HIGH and LEFT <= column < LEFT + WIDE)
        and found[row][column][0] != ord(" ")
    ]
    inside = [line[LEFT : LEFT + WIDE] for line in found[TOP : TOP + HIGH]]
    tiled = ["".join(_sign(tile) for tile, _ in line).rstrip() for line in inside]
    coloured = ["".join(name for _, name in line) for line in inside]
    return "\n".join([*tiled, *coloured, *outside]) + "\n"


def _sign(tile: int | None) -> str:
    if tile is None:
        return "??"
    return f"{chr(tile)} " if tile < 0x60 else f"{tile:02X}"


def difference(found: str, wanted: str) -> str:
    """What is shown otherwise than wanted, as a unified diff; empty if nothing is."""
    return "\n".join(_diff(found, wanted))


def _diff(found: str, wanted: str) -> Iterator[str]:
    return difflib.unified_diff(
        wanted.splitlines(), found.splitlines(), "golden", "shown", lineterm=""
    )
