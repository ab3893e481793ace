"""A line of the LCD in dots: what happens when, and how long the pixels of a line take.

A frame has 154 lines of 456 dots, four in an M-cycle. The dots below are counted from the
begin of a line. Their source are the tests of gbmicrotest, mooneye-test-suite and SameBoy's
description of the DMG (Core/display.c); Pan Docs ("Rendering overview") has the lengths of
mode 3. What happens in a dot is seen by accesses of the CPU that come later than it.
"""

from __future__ import annotations

from collections.abc import Sequence

LINE, LINES, VISIBLE = 456, 154, 144
"""Dots of a line, lines of a frame, and how many of them are drawn."""
FRAME = LINES * LINE
"""Dots of a frame."""
LAST = LINES - 1
"""This line counts as line 0 from COUNTS_AS_0 on."""

ON = 8
"""The dot of line 0 in which a write switches the LCD on."""
FIRST_LATER = 2
"""In the line with which the LCD is switched on the pixels come so many dots later."""

COUNTED = 3
"""LY has the number of the line from here on."""
COUNTS_AS_0 = 6
SEARCH = 4
"""Mode 2, and the comparison of LY with LYC; for one dot before it there is none."""
SEARCH_BLANKED = 4
"""The comparison in lines of VBlank; there is none before, from the begin of the line."""
LAST_COMPARED = range(6, 8)
"""When LYC is compared with 153 in the last line; with 0 from 12 on."""
LAST_IS_0 = 12
VBLANK = 5
"""In line 144: mode 1 and its interrupts."""
VBLANK_SEARCH = 2
"""In line 144: mode 2's interrupt comes here, and with VBLANK once more."""
WRITABLE = range(80, 84)
"""OAM can be written here, though not read."""
NO_VRAM = 80
"""VRAM cannot be read from here on; it cannot be written from DRAW on."""
DRAW = 84
"""Mode 3."""
LATCHED = 92
"""From here on a line keeps its length, whatever is written."""
HBLANK = 256
"""Mode 0 of a line whose pixels take the least time. Its interrupt comes one dot later."""

SHOWN, WINDOW, TALL, SPRITES = 0x80, 0x20, 0x04, 0x02
"""Bits of LCDC: the LCD is on, the window shown, sprites have 16 rows, and are shown."""
_WINDOW_EXTRA = 6
_WINDOW_END = 166
"""A window with this WX or a greater one takes no time; with WX 0 it takes a dot more when pixels
are scrolled out (age-test-roms, ``stat-mode-window-dmgC``)."""
_MOST_SPRITES = 10
"""Sprites in a line; more of them are passed over."""
_END = 168
"""A sprite with this X or a greater one is to the right of the screen."""


def extra_dots(line: int, lcdc: int, scx: int, window: tuple[int, int], oam: Sequence[int]) -> int:
    """By how many dots pixels that are not shown, the window and sprites lengthen mode 3.

    ``window`` is WY and WX, ``oam`` the 160 bytes of OAM. Source: Pan Docs, "Mode 3 length".
    """
    wy, wx = window
    extra = scx % 8
    has_window = bool(lcdc & WINDOW) and wy <= line and wx < _WINDOW_END
    if has_window:
        extra += _WINDOW_EXTRA + (wx == 0 and extra > 0)
    if lcdc & SPRITES:
        extra += _sprite_dots(line, lcdc, scx, wx if has_window else 0x100, oam)
    return extra


def _sprite_dots(line: int, lcdc: int, scx: int, wx: int, oam: Sequence[int]) -> int:
    """Six dots for each sprite; and the tile in which it begins has to be there first."""
    height = 16 if lcdc & TALL else 8
    rows = (line + 16 - y for y in oam[0:160:4])
    places = [x for x, row in zip(oam[1:160:4], rows, strict=True) if 0 <= row < height]
    dots = 0
    seen: set[tuple[bool, int]] = set()
    for x in sorted(places[:_MOST_SPRITES]):
        if x >= _END:
            break
        dots += 6
        in_window = x > wx
        pixel = x - wx - 1 if in_window else x + scx
        tile = (in_window, pixel // 8)
        if tile not in seen:
            dots += max(0, 5 - pixel % 8) if x else 5
        seen.add(tile)
    return dots
