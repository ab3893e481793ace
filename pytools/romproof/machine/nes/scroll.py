"""Where the PPU reads: the address v, moved by the lines that are drawn, and what sets it.

Source: nesdev, "PPU scrolling". v is not moved dot by dot: it is worked out when somebody asks.
"""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.machine.nes.regions import DOTS, Region

HEIGHT = 240
"""Lines that are drawn."""
_ACROSS, _ALONG = 0x041F, 0x7BE0
"""The bits of v that say where in a line it is, and in which line."""
_DOWN, _BACK, _COPIED = 256, 257, 280
"""The dots of a line in which v goes down, in which it goes back to the left edge, and in which, of
the line before the first, it goes to the top."""
_AHEAD, _AHEAD_2 = 328, 336
"""The dots in which the first two tiles of the next line have been read."""


@fields()
class Scroll(Chip):
    """The registers v, t, x and w. ``at`` is the dot v was brought up to."""

    v: int
    t: int
    fine_x: int
    second: bool
    """Whether the next write to $2005 or $2006 is the second one."""
    at: int

    def __init__(self, region: Region) -> None:
        self.region = region
        self.at = -1

    def follow(self, dot: int, start: int, is_drawn: bool) -> None:
        """Move v up to a dot. ``start`` is the dot in which line 0 begins, or began, in the frame
        from line 240 to line 239; ``is_drawn``: whether lines were drawn since ``at``."""
        if is_drawn and dot > self.at and dot >= start - DOTS:
            self._follow(self.at - start, dot - start)
        self.at = dot

    def write_scroll(self, value: int) -> None:
        """$2005."""
        if self.second:
            self.t = self.t & ~0x73E0 | (value & 0xF8) << 2 | (value & 7) << 12
        else:
            self.t = self.t & ~0x001F | value >> 3
            self.fine_x = value & 7
        self.second = not self.second

    def write_address(self, value: int) -> bool:
        """$2006; whether v is set."""
        self.second = not self.second
        if self.second:
            self.t = self.t & 0x00FF | (value & 0x3F) << 8
            return False
        self.t = self.t & 0x7F00 | value
        self.v = self.t
        return True

    def _follow(self, before: int, after: int) -> None:
        """From one dot to another, counted from the begin of line 0; the line before is -341 on."""
        before = max(before, -DOTS - 1)
        after = min(after, HEIGHT * DOTS - 1)
        if before >= after:
            return
        line, column = after // DOTS, after % DOTS
        # down
        first = before
        copied = min(after, -DOTS + 304)
        if copied >= -DOTS + _COPIED and copied > before:
            if before < -DOTS + _DOWN:
                self.v = down(self.v, 1)
            self.v = self.v & ~_ALONG | self.t & _ALONG
            first = copied
        count = (after - _DOWN) // DOTS - (first - _DOWN) // DOTS
        self.v = down(self.v, count)
        # across
        back = line * DOTS + _BACK if column >= _BACK else (line - 1) * DOTS + _BACK
        if back > before:
            self.v = self.v & ~_ACROSS | self.t & _ACROSS
            before = back
        count = _read(after) - _read(before)
        self.v = right(self.v, count)


def _read(dot: int) -> int:
    """How many tiles have been read up to a dot, counted from that of line 0."""
    line, column = dot // DOTS, dot % DOTS
    count = min(column, _DOWN) // 8 + (column >= _AHEAD) + (column >= _AHEAD_2)
    return line * 34 + count


def right(v: int, count: int) -> int:
    """v a number of tiles to the right (nesdev, "PPU scrolling", "Wrapping around")."""
    x = (v & 0x1F) + count
    return (v & ~0x001F) ^ (x & 0x20) << 5 | x & 0x1F


def down(v: int, count: int) -> int:
    """v a number of pixels down."""
    y = v >> 2 & 0xF8 | v >> 12 & 7
    table = v & 0x0800
    while count > 0:
        edge = HEIGHT if y < HEIGHT else 0x100
        steps = min(count, edge - y)
        count -= steps
        y += steps
        if y == edge:
            y = 0
            if edge == HEIGHT:
                table ^= 0x0800
    return v & 0x041F | table | (y & 0xF8) << 2 | (y & 7) << 12
