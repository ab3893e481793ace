"""The NES's picture read back as tiles and palettes, to be compared with what the page says."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

SIDE = 8
COLUMNS, ROWS = 32, 30
LEFT, TOP = 6, 6
"""Where the screen of docs/roms.md begins in the picture."""
PAPER, INK = (236, 238, 236), (0, 0, 0)
GROUPS = {
    "text": ((76, 154, 236), (48, 50, 236)),
    "major": ((176, 98, 236), (136, 20, 176)),
    "wands": ((116, 196, 0), (8, 124, 0)),
    "cups": ((236, 106, 100), (152, 34, 32)),
    "swords": ((56, 180, 204), (0, 102, 120)),
    "pentacles": ((160, 170, 0), (84, 90, 0)),
}
"""Light and dark, as cynes shows the palettes of rom/tarot-nes/ppu.s."""

Shades = tuple[int, ...]
"""The 64 pixels of a tile, 0 to 3, line by line."""


def tiles(rom: bytes) -> list[Shades]:
    """How the 256 tiles look that the ROM's last 8 KiB hold."""
    patterns = rom[-0x2000:]
    return [
        tuple(
            (patterns[16 * number + y] >> 7 - x & 1)
            | (patterns[16 * number + SIDE + y] >> 7 - x & 1) << 1
            for y in range(SIDE)
            for x in range(SIDE)
        )
        for number in range(256)
    ]


def cells(picture: Any) -> list[list[tuple[Shades, str]]]:
    """Of each cell its shades and the group of its colours: "" where those are paper and ink only.

    Fails when a cell has colours that no palette has together.
    """
    pixels = np.asarray(picture).reshape(ROWS, SIDE, COLUMNS, SIDE, 3).swapaxes(1, 2)
    return [[_cell(cell.tobytes()) for cell in row] for row in pixels]


@cache  # most cells are one of a few
def _cell(data: bytes) -> tuple[Shades, str]:
    pixels = [tuple(data[i : i + 3]) for i in range(0, len(data), 3)]
    there = set(pixels) - {PAPER, INK}
    for name, (light, dark) in GROUPS.items():
        if there <= {light, dark}:
            shades = {PAPER: 0, light: 1, dark: 2, INK: 3}
            return tuple(shades[pixel] for pixel in pixels), name if there else ""
    raise AssertionError(f"no palette has these colours: {sorted(there)}")


def difference(
    found: list[list[tuple[Shades, str]]], wanted: list[bytearray], patterns: list[Shades]
) -> str:
    """The first cell that does not look like its tile, for people; empty if there is none.

    ``wanted`` has the tiles of the screen; all around it has to be paper.
    """
    for row in range(ROWS):
        for column in range(COLUMNS):
            at = row - TOP, column - LEFT
            inside = 0 <= at[0] < len(wanted) and 0 <= at[1] < len(wanted[0])
            tile = wanted[at[0]][at[1]] if inside else ord(" ")
            shades, _ = found[row][column]
            if shades != patterns[tile]:
                looks = (_look(one) for one in (shades, patterns[tile]))
                rows = "\n".join(f"{one}  {other}" for one, other in zip(*looks, strict=True))
                return f"row {at[0]}, column {at[1]}: found, and tile ${tile:02X}\n{rows}"
    return ""


def _look(shades: Shades) -> list[str]:
    return ["".join(".xX#"[s] for s in shades[y : y + SIDE]) for y in range(0, len(shades), SIDE)]
