"""Small pictures for tests of rgbgfx."""

from __future__ import annotations

from romproof.toolchains.rgbds.gfx.png_chunks import RGB
from romproof.toolchains.rgbds.gfx.png_write import _png, png_of_colors, png_of_indices

COLORS = {
    "w": 0xFFFFFFFF, "l": 0xAAAAAAFF, "d": 0x555555FF, "b": 0x000000FF,
    "r": 0xFF0000FF, "g": 0x00FF00FF, "u": 0x0000FFFF, "y": 0xFFFF00FF,
    "c": 0x00FFFFFF, "m": 0xFF00FFFF, ".": 0x00000000, "?": 0xFF800080,
}  # fmt: skip


def tile(text: str) -> list[str]:
    """Eight rows of a tile: ``text`` is rows of letters, repeated to eight by eight."""
    rows = text.split("/")
    full = [(row * 8)[:8] for row in rows]
    return (full * 8)[:8]


def rows_of(tiles: str) -> list[str]:
    """Rows of a picture: tiles beside each other, between blanks, and below, between bars."""
    rows: list[str] = []
    for band in tiles.split("|"):
        parts = [tile(text) for text in band.split()]
        rows += ["".join(part[y] for part in parts) for y in range(8)]
    return rows


def picture(tiles: str) -> bytes:
    """A PNG with colours and transparency."""
    rows = rows_of(tiles)
    return png_of_colors(([COLORS[c] for c in row] for row in rows), len(rows[0]), len(rows))


def indexed(tiles: str, palette: str) -> bytes:
    """A PNG with a palette."""
    rows = rows_of(tiles)
    numbers = ([palette.index(c) for c in row] for row in rows)
    return png_of_indices(numbers, len(rows[0]), len(rows), [COLORS[c] for c in palette])


def deep(levels: list[list[tuple[int, int, int]]]) -> bytes:
    """A PNG of 16 bits for red, green and blue."""
    packed = [
        b"".join(level.to_bytes(2, "big") for pixel in row for level in pixel) for row in levels
    ]
    return _png(len(levels[0]), len(levels), 16, RGB, packed, [])
