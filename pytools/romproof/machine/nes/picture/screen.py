"""A picture of the PPU as a screen: colours, tiles and sprites."""

from __future__ import annotations

from romproof.machine.board import BoardError
from romproof.machine.nes.colors import COLORS, decoded_palette
from romproof.machine.nes.picture.picture import FrameShown
from romproof.machine.nes.picture.replay import SIZE, WIDTH
from romproof.machine.nes.scroll import HEIGHT
from romproof.machine.screen import Cell, Color, PixelOrigins, Screen, ScreenObject

_EMPHASIS = 0x07
_PLAIN = bytes(origin for origin in range(0x100) if not origin & _EMPHASIS)
_MOST = 4
"""Values of emphasis whose colours have room in a byte."""
_TALL = 0x20
_ACROSS = 32
"""Tiles of a nametable."""


def screen_of(frame: FrameShown, swaps_emphasis: bool, objects: bool = True) -> Screen:
    """The screen of a frame, with or without sprites. ``swaps_emphasis``: red and green are
    emphasised by each other's bits. Raises BoardError."""
    emphasised = frame.origins.translate(None, _PLAIN)
    emphases = sorted({origin & _EMPHASIS for origin in set(emphasised)})
    if len(emphasised) < SIZE:
        emphases = [0, *emphases]
    if len(emphases) > _MOST:
        raise BoardError(
            f"a frame with {len(emphases)} values of emphasis cannot be shown: at most {_MOST} can"
        )
    pixels = frame.pixels if objects else frame.under
    colors = decoded_palette()
    palette: list[Color] = []
    for emphasis in emphases:
        first = COLORS * (_swapped(emphasis) if swaps_emphasis else emphasis)
        palette += colors[first : first + COLORS]
    if len(emphases) > 1:
        ranks = bytes(COLORS * emphases.index(e) if e in emphases else 0 for e in range(8)) * 32
        pixels = bytes(map(int.__add__, pixels, frame.origins.translate(ranks)))
    return Screen(
        WIDTH,
        HEIGHT,
        pixels,
        tuple(palette),
        explain=lambda: _layout(frame, objects),
    )


def _swapped(emphasis: int) -> int:
    return emphasis & 4 | emphasis >> 1 & 1 | (emphasis & 1) << 1


def _layout(frame: FrameShown, objects: bool) -> PixelOrigins:
    """What each pixel is of: by where each line begins, and by what memory has at the end."""
    cells: list[Cell | None] = []
    owners = [-1] * SIZE
    for line, begin in enumerate(frame.begins):
        row = _cells(frame, begin)
        first = begin >> 16 & 7
        cells += [row[(x + first) // 8] for x in range(WIDTH)]
        if objects:
            found = _found(frame, line, 16 if begin >> 20 & _TALL else 8)
            for x in range(WIDTH):
                unit = frame.origins[line * WIDTH + x] >> 3
                if unit and unit <= len(found):
                    owners[line * WIDTH + x] = found[unit - 1]
    height = 16 if frame.begins[-1] >> 20 & _TALL else 8
    sprites = tuple(_object(frame, number, height) for number in range(64))
    return PixelOrigins(cells, owners, sprites if objects else ())


def _cells(frame: FrameShown, begin: int) -> list[Cell]:
    """The 33 tiles of a line: two of them were read before it began."""
    v = begin & 0x7FFF
    across = (v & 0x1F | v >> 5 & 0x20) - 2
    cells = []
    for tile in range(_ACROSS + 1):
        x = across + tile & 0x3F
        place = v & 0x03E0 | x & 0x1F
        table = v >> 10 & 2 | x >> 5
        cells.append(Cell(0x2000 | table << 10 | place, frame.nametables[table][place]))
    return cells


def _found(frame: FrameShown, line: int, height: int) -> list[int]:
    """The first eight sprites of a line, by number."""
    oam = frame.oam
    return [number for number in range(64) if 0 <= line - 1 - oam[4 * number] < height][:8]


def _object(frame: FrameShown, number: int, height: int) -> ScreenObject:
    y, tile, attributes, x = frame.oam[4 * number : 4 * number + 4]
    return ScreenObject(number, x, y + 1, tile, attributes, height)
