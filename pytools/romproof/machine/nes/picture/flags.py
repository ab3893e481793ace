"""Sprite 0 hit and sprite overflow without a picture.

While lines are drawn in the ordinary way both flags follow from what is in memory: overflow from
the places of sprites, the hit from the lines that sprite 0 covers. They are worked out when
somebody asks, for the lines to come as if nothing more was written. What is written later, while
lines are drawn, ends what was said of lines that it may change; where such a line is one of
sprite 0's, the beam is asked (see picture.py).
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER
from romproof.machine.nes.picture.evaluation import Evaluation
from romproof.machine.nes.picture.units import reverse
from romproof.machine.nes.regions import DOTS
from romproof.machine.nes.scroll import HEIGHT, Scroll, down
from romproof.machine.nes.video_memory import VideoMemory

_TALL, _PATTERNS, _SPRITE_PATTERNS = 0x20, 0x10, 0x08
_BOTH = 0x18
_LEFT = 0x06
"""Bits of $2001: background and sprites, and both in the eight pixels at the left edge."""
_MOST = 8
"""Sprites of a line."""
_WIDTH = 256
_TOP = 304
"""The last dot of the line before line 0 in which v goes to the top."""
UNKNOWN = -1


@fields(words={"_rows": 32})
class SpriteFlags(Chip):
    """``hit`` and ``overflow`` are the dots in which the flags are set, counted from the begin of
    line 0; NEVER when they are not, UNKNOWN before somebody has asked. ``is_hit_left`` and
    ``is_overflow_left``: only the beam knows."""

    hit: int
    overflow: int
    is_hit_left: bool
    is_overflow_left: bool
    v: int
    at: int
    """The PPU's address when something was written last, and the dot it was brought up to."""
    oam_changed: bool
    """Whether sprites are elsewhere than when overflow was worked out."""
    _rows: MutableSequence[int]
    """How many sprites begin in each eight lines."""
    _last: int
    _last_control: int
    """The overflow that was worked out last, and for which height."""

    def __init__(self, memory: VideoMemory, scroll: Scroll, oam: bytearray) -> None:
        self.memory = memory
        self.scroll = scroll
        self.oam = oam
        self.search = Evaluation()
        self.oam_changed = True
        self.at = -DOTS - 1
        self.forget()

    def forget(self) -> None:
        """Other lines begin: the flags are cleared."""
        self.hit = self.overflow = UNKNOWN
        self.is_hit_left = self.is_overflow_left = False

    def leave(self) -> None:
        """The beam has to be asked for what was not found yet."""
        self.is_hit_left = self.is_overflow_left = True

    def find_overflow(self, mask: int, control: int) -> None:
        """Work out ``overflow``, if nothing is written before line 240."""
        if not mask & _BOTH:
            self.overflow = NEVER
            return
        if self.oam_changed or control & _TALL != self._last_control:
            self.oam_changed, self._last_control = False, control & _TALL
            self._last = self._search(16 if control & _TALL else 8)
        self.overflow = self._last

    def find_hit(self, mask: int, control: int, touched: int, first_line: int) -> None:
        """Work out ``hit``, or that it is left to the beam, if nothing is written behind the dot
        ``touched``. It is counted from ``first_line``, in which line 0 begins."""
        self.hit = NEVER
        if mask & _BOTH != _BOTH or self.oam[0] >= HEIGHT - 1:
            return
        first, height = self.oam[0] + 1, 16 if control & _TALL else 8
        end = min(first + height, HEIGHT)
        line = touched // DOTS
        for at in range(max(first, line), end):
            if line >= 0 and at < line + 2:
                self.is_hit_left = True
                return
            column = self._hit_in(at, at - first, mask, control, self.at - first_line)
            if column:
                self.hit = at * DOTS + column
                return

    def _hit_in(self, line: int, row: int, mask: int, control: int, after: int) -> int:
        """The dot of a line in which sprite 0 hits; 0 for none."""
        tile, attributes, left = self.oam[1], self.oam[2], self.oam[3]
        if attributes & 0x80:
            row = (15 if control & _TALL else 7) - row
        if control & _TALL:
            address = (tile & 1) << 12 | (tile & 0xFE) << 4 | (row & 8) << 1 | row & 7
        else:
            address = (control & _SPRITE_PATTERNS) << 9 | tile << 4 | row
        pixels = self.memory.read(address) | self.memory.read(address + 8)
        if attributes & 0x40:
            pixels = reverse(pixels)
        if not pixels:
            return 0
        scroll = self.scroll
        if after <= _TOP - DOTS:
            v = down(scroll.t, line)
        else:
            v = down(self.v, line - (after - _WIDTH) // DOTS - 1)
        x = (scroll.t & 0x1F) * 8 + scroll.fine_x + left
        table = v & 0x0800 | scroll.t & 0x0400
        background = 0
        for part in range(2):
            at = x + 8 * part
            address = 0x2000 | (table ^ (at & 0x100) << 2) | v & 0x03E0 | at >> 3 & 0x1F
            pattern = self.memory.read(address) << 4 | v >> 12 & 7 | (control & _PATTERNS) << 8
            background = background << 8 | self.memory.read(pattern) | self.memory.read(pattern + 8)
        both = pixels & background >> 8 - (x & 7)
        for pixel in range(8):
            place = left + pixel
            if (
                both >> 7 - pixel & 1
                and place < _WIDTH - 1
                and (place >= 8 or mask & _LEFT == _LEFT)
            ):
                return place + 1
        return 0

    def _search(self, height: int) -> int:
        """The dot, counted from line 0, in which a ninth sprite is found, or taken for one."""
        oam, rows = self.oam, self._rows
        for row in range(32):
            rows[row] = 0
        for sprite in range(64):
            rows[oam[4 * sprite] >> 3] += 1
        before, before_that = 0, 0
        is_copied = False
        for row in range(HEIGHT // 8):
            count = rows[row] + before
            if height == 16:
                count += before_that
            if count >= _MOST:
                if not is_copied:
                    is_copied = True
                    for place in range(0x100):
                        self.search.oam[place] = oam[place]
                for line in range(8 * row, 8 * row + 8):
                    column = self._search_line(line, height)
                    if column:
                        return line * DOTS + column
            before, before_that = rows[row], before
        return NEVER

    def _search_line(self, line: int, height: int) -> int:
        """The dot of a line in which overflow is found; 0 for none."""
        search = self.search
        search.address = 0
        search.overflow = False
        search.restart()
        for step in range(96):
            search.copied = search.oam[search.address]
            search.look(step == 0, line, height)
            if search.overflow:
                return 66 + 2 * step
        return 0
