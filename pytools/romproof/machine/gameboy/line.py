"""A line of the LCD in dots: what happens when, and how long the pixels of a line take.

A frame has 154 lines of 456 dots, four in an M-cycle. The dots below are counted from the
begin of a line. Their source are the tests of gbmicrotest, mooneye-test-suite and SameBoy's
description of the DMG (Core/display.c); Pan Docs ("Rendering overview") has the lengths of
mode 3. What happens in a dot is seen by accesses of the CPU that come later than it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from romproof.engine.space import AddressSpace

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
COUNTING, COUNTING_LATER = 1, 2
"""Bits that change are 0 in LY from here to COUNTED, on a Color; later at double speed and in
revision E. That can be seen after a switch of the speed only (age-test-roms, ``lcd-align-ly``)."""
COUNTS_AS_0 = 7
COUNTS_AS_0_LATER = 8
"""The same at double speed, and in a Color's revision E."""
SEARCH = 4
"""Mode 2, and the comparison of LY with LYC; for one dot before it there is none."""
SEARCH_BLANKED = 4
"""The comparison in lines of VBlank; there is none before, from the begin of the line."""
LAST_COMPARED = range(6, 8)
"""When LYC is compared with 153 in the last line; with 0 from 12 on."""
LAST_COMPARED_BY_E = 4
"""A Color's revision E begins here; it goes on to LAST_IS_0, as at double speed."""
LAST_IS_0 = 12
NOTHING = -1
"""Is compared with LYC."""
VBLANK = 5
"""In line 144: mode 1 and its interrupts."""
VBLANK_SEARCH = 2
"""In line 144: mode 2's interrupt comes here, and with VBLANK once more."""
SEARCH_IN_VBLANK = (VBLANK_SEARCH, VBLANK)
"""Where mode 2 requests in line 144, which has none."""
WRITABLE = range(80, 84)
"""OAM can be written here, though not read, on a DMG."""
KEPT_BY_CGB, KEPT_BY_CGB_DOUBLE = 0, 2
"""A Color does not let OAM be written from here on, at either speed."""
NO_VRAM = 80
"""VRAM cannot be read from here on; it cannot be written from DRAW on. On a Color neither can be
from DRAW on."""
DRAW = 84
"""Mode 3."""
FIRST_VRAM = DRAW + FIRST_LATER
"""VRAM is out of reach from here on in the line with which the LCD is switched on, of a Color at
normal speed five dots later."""
FIRST_VRAM_OF_CGB = FIRST_VRAM + 5
LATCHED = 92
"""From here on a line keeps its length, whatever is written."""
HBLANK = 256
"""Mode 0 of a line whose pixels take the least time. Its interrupt comes one dot later."""
COPIES = 3
"""So many dots after mode 0 began the Color's VRAM DMA copies a block."""
PALETTES_HIDDEN, PALETTES_FREE = DRAW + 3, 5
"""The Color's palettes are out of reach from here on, and so many dots of mode 0 long, one less at
double speed."""

SHOWN, WINDOW, TALL, SPRITES = 0x80, 0x20, 0x04, 0x02
"""Bits of LCDC: the LCD is on, the window shown, sprites have 16 rows, and are shown."""
_WINDOW_EXTRA = 6
_WINDOW_END = 166
"""A window with this WX or a greater one takes no time, on a Color with one more; with WX 0 it
takes a dot more when pixels are scrolled out (age-test-roms, ``stat-mode-window``)."""
OAM_SIZE = 160
"""Bytes that describe 40 sprites."""
_MAX_SPRITES = 10
"""Sprites in a line; more of them are passed over."""
_END = 168
"""A sprite with this X or a greater one is to the right of the screen."""


def extra_dots(
    line: int,
    lcdc: int,
    scx: int,
    wy: int,
    wx: int,
    oam: Sequence[int],
    first: int,
    is_cgb: int = 0,
) -> int:
    """By how many dots pixels that are not shown, the window and sprites lengthen mode 3.

    ``oam`` has the 160 bytes of OAM from ``first`` on. Source: Pan Docs, "Mode 3 length".
    """
    extra = scx % 8
    has_window = bool(lcdc & WINDOW) and wy <= line and wx < _WINDOW_END + is_cgb
    if has_window:
        extra += _WINDOW_EXTRA + (wx == 0 and extra > 0)
    if lcdc & SPRITES:
        extra += _sprite_dots(line, lcdc, scx, wx if has_window else 0x100, oam, first)
    return extra


def _sprite_dots(line: int, lcdc: int, scx: int, wx: int, oam: Sequence[int], first: int) -> int:
    """Six dots for each sprite; and the tile in which it begins has to be there first."""
    height = 16 if lcdc & TALL else 8
    end = _last_of_line(line, height, oam, first)
    dots, x, tile = 0, -1, -1
    while True:
        x, count = _next_sprites(line, height, x, oam, first, end)
        if x >= _END:
            return dots
        dots += 6 * count
        in_window = x > wx
        pixel = x - wx - 1 if in_window else x + scx
        other = pixel // 8 + in_window * 0x100
        if other != tile:
            dots += max(0, 5 - pixel % 8) if x else 5
        tile = other


def _last_of_line(line: int, height: int, oam: Sequence[int], first: int) -> int:
    """Where in OAM ends what a line draws: behind the last of its ten sprites."""
    count = 0
    for place in range(first, first + OAM_SIZE, 4):
        if 0 <= line + 16 - oam[place] < height:
            count += 1
            if count == _MAX_SPRITES:
                return place + 4
    return first + OAM_SIZE


def _next_sprites(
    line: int, height: int, x: int, oam: Sequence[int], first: int, end: int
) -> tuple[int, int]:
    """The next place to the right of X at which sprites of the line are, and how many are there;
    _END when there are no more."""
    nearest, count = _END, 0
    for place in range(first, end, 4):
        there = oam[place + 1]
        if x < there <= nearest and 0 <= line + 16 - oam[place] < height:
            count = count + 1 if there == nearest else 1
            nearest = there
    return nearest, count


def lyc_line(line: int, dot: int, last_begin: int, last_end: int) -> int:
    """What LYC is compared with in a dot of a line; NOTHING when there is nothing. In the last line
    that is its number from one dot until another."""
    if line == 0:
        return 0
    if line == LAST:
        if last_begin <= dot < last_end:
            return LAST
        return 0 if dot >= LAST_IS_0 else NOTHING
    if dot >= SEARCH:
        return line
    return NOTHING if line >= VISIBLE or dot >= COUNTED else line - 1


def nearer(line: int, one: int, other: int) -> int:
    """Which of two lines comes first after another."""
    return one if (one - line - 1) % LINES < (other - line - 1) % LINES else other


def search(line: int) -> int:
    """The dot in which mode 2 requests the interrupt: one earlier than it begins, but in line 0
    it does not."""
    return COUNTED if line else SEARCH


class HasOam(Protocol):
    """What lines search for sprites."""

    oam_at: int
    """Where the 160 bytes that describe them are in ``space.store``."""

    @property
    def space(self) -> AddressSpace:
        """What has the store."""


class OnSwitch(Protocol):
    """Something that has to know that the LCD is switched on or off."""

    def lcd_switches(self, on: bool) -> None:
        """It is, now."""
