"""The LCD controller's registers and its line counter, without a picture.

A frame has 154 lines of 114 M-cycles; from line 144 on is VBlank. Each earlier line goes through
mode 2 (sprites are searched), 3 (pixels are drawn) and 0 (HBlank). The lengths here are those
of a DMG whose line has no sprites and no window, which would lengthen mode 3; they are known
from the tests of mooneye-test-suite and blargg's. VRAM and OAM can be reached at any time.
"""

from __future__ import annotations

from bisect import bisect_right

from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy.interrupts import Interrupt

FIRST, LAST = 0xFF40, 0xFF4B
_LCDC, _STAT, _SCX, _LY, _LYC = 0xFF40, 0xFF41, 0xFF43, 0xFF44, 0xFF45

LINE = 114
"""M-cycles of a line."""
_VISIBLE, _LINES = 144, 154
FRAME = _LINES * LINE
"""M-cycles of a frame."""
_VBLANK = _VISIBLE * LINE
_DRAW, _HBLANK = 20, 63
"""When in a line modes 3 and 0 begin."""

_ON = 0x80
"""The bit of LCDC."""
_IN_MODE = (0x08, 0x10, 0x20)
_ON_LYC = 0x40
_SOURCES = 0x78
"""The bits of STAT that choose what requests the interrupt: a mode, or LY = LYC."""
_COINCIDES = 0x04
_STAT_UNUSED = 0x80

_AFTER_BOOT = bytes.fromhex("91 00 00 00 00 00 FF FC FF FF 00 00")
"""$FF40 to $FF4B when the boot ROM hands over."""
_POSITION_AFTER_BOOT = 153 * LINE + 99


class LineCounter:
    """LCDC, STAT, LY, LYC, and the registers for scrolling and colours, which are only stored.

    All that STAT shows and that can request its interrupt is one signal; the interrupt is
    requested when that rises.
    """

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._values = bytearray(_AFTER_BOOT)
        self._start = -_POSITION_AFTER_BOOT
        """The cycle at which line 0 began, or would have begun."""
        self._first_line_until = -1
        """The end of the line with which the LCD is switched on."""
        self._coincided = False
        """While the LCD is off: whether LY was LYC when it was switched off."""
        self._held, self._held_in = False, -1
        """The last result of the comparison, in a cycle in which LYC was written."""
        self._sources = 0
        self._points: list[int] = [_VBLANK]
        """The cycles of a frame in which something may be requested, ascending."""
        self._due = self._next_point(0)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        if address == _LY:
            return self._ly(cycle)
        if address == _STAT:
            coincides = _COINCIDES if self._coincides(cycle) else 0
            return _STAT_UNUSED | self._sources | coincides | self._mode(cycle)
        return self._values[address - FIRST]

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        before = self._signal(cycle)
        if address == _LYC and self._is_on and self._compared(cycle) is None:
            self._held, self._held_in = self._last_result(cycle), cycle
        if address == _LCDC:
            self._switch(bool(value & _ON), cycle)
        elif address == _STAT:
            # for a moment the DMG acts as if all sources were chosen
            self._sources = _SOURCES
            self._request(before, cycle)
            self._sources = value & _SOURCES
        if address not in (_STAT, _LY):
            self._values[address - FIRST] = value
        self._request(before, cycle)
        if address in (_LCDC, _STAT, _SCX, _LYC):
            self._points = self._find_points()
            self._due = self._next_point(cycle)

    def next_vblank(self, cycle: int) -> int:
        """The cycle after ``cycle`` in which VBlank begins, or would if the LCD were on."""
        return cycle + FRAME - (cycle - self._start - _VBLANK) % FRAME

    def due(self) -> int:
        """Clocked: when an interrupt may be requested."""
        return self._due

    def advance(self, cycle: int) -> None:
        """Clocked."""
        while self._due <= cycle:
            now = self._due
            if (now - self._start) % FRAME == _VBLANK:
                self._signals.requested |= Interrupt.VBLANK
            self._request(self._signal(now - 1), now)
            self._due = self._next_point(now)

    @property
    def _is_on(self) -> bool:
        return bool(self._values[0] & _ON)

    @property
    def _hblank(self) -> int:
        """Pixels that are scrolled out at the left are drawn as well, four in an M-cycle."""
        return _HBLANK + (self._values[_SCX - FIRST] % 8 + 3) // 4

    def _place(self, cycle: int) -> tuple[int, int]:
        """The line, and the M-cycle in it."""
        return divmod((cycle - self._start) % FRAME, LINE)

    def _ly(self, cycle: int) -> int:
        """LY is one M-cycle early; in the last line it is soon 0 again."""
        if not self._is_on:
            return 0
        line, column = self._place(cycle + 1)
        return 0 if line == _LINES - 1 and column else line

    def _compared(self, cycle: int) -> int | None:
        """What LYC is compared with; None when with nothing."""
        line, column = self._place(cycle)
        if line == _LINES - 1:
            return (line, None)[column] if column < 2 else 0
        return None if column == LINE - 1 else line

    def _coincides(self, cycle: int) -> bool:
        if not self._is_on:
            return self._coincided
        return self._compared(cycle) == self._values[_LYC - FIRST]

    def _mode(self, cycle: int) -> int:
        if not self._is_on:
            return 0
        line, column = self._place(cycle)
        if line >= _VISIBLE:
            return 1
        if column < _DRAW:
            return 0 if cycle < self._first_line_until else 2
        return 3 if column < self._hblank else 0

    def _signal(self, cycle: int) -> bool:
        """Whether anything that was chosen in STAT is the case."""
        if self._sources & _ON_LYC:
            nothing = self._is_on and self._compared(cycle) is None
            if self._last_result(cycle) if nothing else self._coincides(cycle):
                return True
        if not self._is_on:
            return False
        line, column = self._place(cycle)
        if column == 0 and line <= _VISIBLE and self._sources & _IN_MODE[2]:
            return cycle >= self._first_line_until
        mode = self._mode(cycle)
        if mode == 0 and cycle < self._first_line_until and column < _DRAW:
            return False
        return mode < 2 and bool(self._sources & _IN_MODE[mode])

    def _last_result(self, cycle: int) -> bool:
        """Where LYC is compared with nothing, for a cycle, the last result holds, whatever is
        written to LYC in that cycle."""
        return self._held if cycle == self._held_in else self._coincides(cycle - 1)

    def _request(self, before: bool, cycle: int) -> None:
        if self._signal(cycle) and not before:
            self._signals.requested |= Interrupt.STAT

    def _switch(self, on: bool, cycle: int) -> None:
        if on == self._is_on:
            return
        self._coincided = self._coincides(cycle)
        self._start = cycle
        self._first_line_until = cycle + LINE

    def _find_points(self) -> list[int]:
        """See ``_points``."""
        if not self._is_on:
            return []
        points = {_VBLANK}
        if self._sources & _IN_MODE[0]:
            points |= {line * LINE + self._hblank for line in range(_VISIBLE)}
        if self._sources & _IN_MODE[2]:
            points |= {line * LINE for line in range(_VISIBLE + 1)}
        lyc = self._values[_LYC - FIRST]
        if self._sources & _ON_LYC and lyc < _LINES:
            points.add(lyc * LINE if lyc else (_LINES - 1) * LINE + 2)
        return sorted(points)

    def _next_point(self, after: int) -> int:
        """The first cycle after another in which something may be requested."""
        points = self._points
        if not points:
            return NEVER
        place = (after - self._start) % FRAME
        index = bisect_right(points, place)
        to_go = points[index] - place if index < len(points) else points[0] + FRAME - place
        return after + to_go
