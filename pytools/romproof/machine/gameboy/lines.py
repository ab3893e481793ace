"""The lines of the LCD in time: which line and mode it is, and what the CPU can reach.

A frame has 154 lines of 114 M-cycles; from line 144 on is VBlank. Each earlier line goes through
mode 2 (sprites are searched), 3 (pixels are drawn) and 0 (HBlank). ``line`` has the dots in
which that happens.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER
from romproof.machine.gameboy import boot
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.model import DMG, Console
from romproof.machine.gameboy.picture.log import OAM, PALETTES, FrameLog
from romproof.machine.gameboy.speed import Speed

FIRST, LAST = 0xFF40, 0xFF4B
"""The registers of the LCD."""
_SCX, _LYC, _WY, _WX = 0xFF43, 0xFF45, 0xFF4A, 0xFF4B
_COINCIDES = 0x04


@fields(_values=LAST - FIRST + 1)
class Lines(Chip):
    """The state of the LCD in a dot, which follows from when it was switched on and from its
    registers. ``memory`` has the sprites; None: there are none.

    Times inside are in dots since the machine began. An access in a cycle comes before the dot
    that ``speed`` has for it, so that it sees what happened up to the dot before that.
    """

    noted = frozenset({"_line", "_begin"})
    _values: MutableSequence[int]
    _is_on: bool
    _start: int
    """The dot in which line 0 of some frame began, or would have begun."""
    _line: int
    _begin: int
    """The line that was asked for last, and the dot in which it begins."""
    _first_line_until: int
    """The end of the line with which the LCD is switched on."""
    _coincided: bool
    """While the LCD is off: whether LY was LYC when it was switched off."""
    _held: bool
    _held_in: int
    """The last result of the comparison, in a dot before which LYC was written."""
    _latched: int
    _extra: int
    """The dot in which the last line began whose length is known, and its ``extra_dots``."""

    def __init__(
        self,
        memory: at.HasOam | None = None,
        speed: Speed | None = None,
        kind: Console = DMG,
    ) -> None:
        begin = boot.begin_of(kind)
        self.log: FrameLog | None = None
        """Who notes what is written, for pictures."""
        self._speed = speed or Speed()
        self._is_cgb, self._is_e = int(kind.is_cgb), int(kind.is_e)
        self._oam, self._oam_at = (
            (bytearray(at.OAM_SIZE), 0) if memory is None else (memory.space.store, memory.oam_at)
        )
        self._values[:] = list(begin.lcd)
        self._is_on = True
        self._start, self._begin = -begin.dot, NEVER
        self._first_line_until = self._start
        self._held_in = self._latched = -1

    def latch(self, cycle: int) -> None:
        """What the length of a line depends on is about to change: if the line draws already,
        its own stays as it is."""
        if self._is_on:
            line, dot = self._place(self._seen(cycle))
            if line < at.VISIBLE and dot >= at.LATCHED:
                begin = self._seen(cycle) - dot
                self._extra, self._latched = self._extra_dots(line, begin), begin

    def place(self, cycle: int) -> tuple[int, int]:
        """The line, and the dot in it, in which an access in a cycle comes."""
        return self._place(self._seen(cycle))

    @property
    def is_on(self) -> bool:
        """Whether the LCD is on."""
        return self._is_on

    @property
    def is_at_double_speed(self) -> bool:
        """Whether the CPU is at double speed."""
        return self._speed.is_double

    # Whether the CPU can reach OAM and VRAM

    def hides_oam(self, cycle: int) -> bool:
        """Whether OAM reads as $FF. In revision E it does so for a dot of HBlank."""
        if self._is_e:
            now = self._seen(cycle)
            line, dot = self._place(now)
            if self._is_on and line < at.VISIBLE and dot == self._hblank(line, now - dot):
                return True
        begin = at.SEARCH if self._speed.is_double and not self._is_e else at.COUNTED
        return self._is_between(begin, at.DRAW + at.FIRST_LATER, cycle)

    def keeps_oam(self, cycle: int) -> bool:
        """Whether OAM ignores writes."""
        if self._is_cgb:
            begin = at.KEPT_BY_CGB_DOUBLE if self._speed.is_double else at.KEPT_BY_CGB
            return self._is_between(begin, at.DRAW, cycle)
        if not self._is_between(at.SEARCH, at.DRAW, cycle):
            return False
        return self._place(self._seen(cycle))[1] not in at.WRITABLE or self._is_first(cycle)

    def hides_vram(self, cycle: int) -> bool:
        """Whether VRAM reads as $FF."""
        begin = at.DRAW if self._is_cgb else at.NO_VRAM
        return self._is_between(begin, self._first_vram(), cycle)

    def keeps_vram(self, cycle: int) -> bool:
        """Whether VRAM ignores writes."""
        return self._is_between(at.DRAW, self._first_vram(), cycle)

    def _first_vram(self) -> int:
        """See ``at.FIRST_VRAM``."""
        is_later = self._is_cgb and not self._speed.is_double
        return at.FIRST_VRAM_OF_CGB if is_later else at.FIRST_VRAM

    def vram_is_free_until(self, cycle: int) -> int:
        """The cycle before which VRAM can be reached at any time, if it can be in ``cycle``."""
        if not self._is_on:
            return NEVER
        now = self._seen(cycle)
        line, dot = self._place(now)
        lines = at.LINES - line if line >= at.VISIBLE else int(dot >= at.HBLANK)
        return self._sees(now - dot + lines * at.LINE + at.NO_VRAM)

    def cycles_of_line(self) -> int:
        """M-cycles of a line at the speed that the CPU has."""
        return at.LINE >> self._speed.shift

    def _is_between(self, begin: int, begin_in_first: int, cycle: int) -> bool:
        """Whether a line is between a dot and its HBlank; another dot holds for the first."""
        if not self._is_on:
            return False
        now = self._seen(cycle)
        line, dot = self._place(now)
        first = begin_in_first if self._is_first(cycle) else begin
        return line < at.VISIBLE and first <= dot < self._shows_hblank(line, now - dot)

    def hides_palettes(self, cycle: int) -> bool:
        """Whether the data of the Color's palettes read as $FF and ignore writes."""
        if not self._is_on:
            return False
        now = self._seen(cycle)
        line, dot = self._place(now)
        end = at.PALETTES_FREE - int(self._speed.is_double)
        begin = at.PALETTES_HIDDEN
        return line < at.VISIBLE and begin <= dot < self._hblank(line, now - dot) + end

    # HBlank, in which the Color's DMA copies

    def is_in_hblank(self, cycle: int) -> bool:
        """Whether STAT shows mode 0: while the LCD is off, too."""
        return self._state(self._seen(cycle)) & 3 == 0

    def next_hblank(self, cycle: int) -> int:
        """The cycle after ``cycle`` in which VRAM DMA goes on; NEVER while the LCD is off."""
        if not self._is_on:
            return NEVER
        now = self._seen(cycle)
        line, dot = self._place(now)
        begin = now - dot
        if line < at.VISIBLE:
            copies = begin + self._hblank(line, begin) + at.COPIES
            if copies > now:
                return self._sees(copies)
        lines = 1 if line < at.VISIBLE - 1 else at.LINES - line
        following = line + 1 if line < at.VISIBLE - 1 else 0
        begin += lines * at.LINE
        return self._sees(begin + self._hblank(following, begin) + at.COPIES)

    # What pictures are drawn from

    def note_vram(self, address: int, value: int, cycle: int) -> None:
        """A byte of VRAM is written."""
        if self.log is not None:
            self.log.note_vram(address, value, self._speed.dot(cycle))

    def catch_up(self, cycle: int) -> None:
        """What is written from now on belongs to the frame that is being drawn, or comes next."""
        if self.log is not None:
            self.log.catch_up(self._speed.dot(cycle))

    def refresh_vram(self) -> None:
        """Bytes of VRAM may have been written since ``catch_up``, before anything is drawn."""
        if self.log is not None:
            self.log.refresh()

    def note_oam(self, place: int, value: int, cycle: int) -> None:
        """A byte of OAM is written, by its place."""
        if self.log is not None:
            self.log.note(OAM + place, value, self._speed.dot(cycle))

    def note_copied_oam(self, cycle: int) -> None:
        """All of OAM was copied."""
        if self.log is not None:
            self.log.note_oam(self._speed.dot(cycle))

    def note_color(self, place: int, value: int, cycle: int) -> None:
        """A byte of the Color's palettes is written, by its place."""
        if self.log is not None:
            self.log.note(PALETTES + place, value, self._speed.dot(cycle))

    # The state of the line in a dot

    def _seen(self, cycle: int) -> int:
        """The last dot that an access in a cycle sees."""
        return self._speed.dot(cycle) - 1

    def _sees(self, dot: int) -> int:
        """The first cycle in which an access sees what comes in a dot."""
        speed = self._speed
        return (dot - speed.offset >> speed.shift) + 1

    def _place(self, now: int) -> tuple[int, int]:
        """The line, and the dot in it."""
        dot = now - self._begin
        if not 0 <= dot < at.LINE:
            if at.LINE <= dot < 2 * at.LINE and self._line < at.LAST:  # most often
                self._line, dot = self._line + 1, dot - at.LINE
            else:
                self._line, dot = divmod((now - self._start) % at.FRAME, at.LINE)
            self._begin = now - dot
        return self._line, dot

    def _is_first(self, cycle: int) -> bool:
        return self._speed.dot(cycle) <= self._first_line_until

    def _ly(self, cycle: int) -> int:
        if not self._is_on:
            return 0
        line, dot = self._place(self._seen(cycle))
        if dot < at.COUNTED:
            before = line - 1 if line else 0
            counting = at.COUNTING_LATER if self._is_later() else at.COUNTING
            return before & line if self._is_cgb and dot >= counting else before
        return 0 if line == at.LAST and dot >= self._counts_as_0() else line

    def _counts_as_0(self) -> int:
        """The dot of the last line from which on it is line 0."""
        return at.COUNTS_AS_0_LATER if self._is_later() else at.COUNTS_AS_0

    def _is_later(self) -> bool:
        """Whether the end of the last line comes later: in revision E, or at double speed."""
        return bool(self._is_e or self._speed.is_double)

    def _lyc_line(self, now: int) -> int:
        """What LYC is compared with, see ``at.lyc_line``."""
        line, dot = self._place(now)
        return at.lyc_line(line, dot, self._compared_from(), self._compared_until())

    def _compared_from(self) -> int:
        """The dot of the last line from which on LYC is compared with its number."""
        return at.LAST_COMPARED_BY_E if self._is_e else at.LAST_COMPARED.start

    def _compared_until(self) -> int:
        """The dot of the last line up to which it is."""
        return at.LAST_IS_0 if self._is_later() else at.LAST_COMPARED.stop

    def _coincides(self, now: int) -> bool:
        if not self._is_on:
            return self._coincided
        return self._lyc_line(now) == self._values[_LYC - FIRST]

    def _state(self, now: int) -> int:
        """What STAT shows: whether LY is LYC, and the mode."""
        if not self._is_on:
            return _COINCIDES if self._coincided else 0
        line, dot = self._place(now)
        mode = self._mode(line, dot, now)
        compared = at.lyc_line(line, dot, self._compared_from(), self._compared_until())
        is_same = compared == self._values[_LYC - FIRST]
        if compared == at.NOTHING and self._is_later():
            is_same = self._last_result(now)
        return mode | _COINCIDES if is_same else mode

    def _mode(self, line: int, dot: int, now: int) -> int:
        if line >= at.VISIBLE:
            return 0 if line == at.VISIBLE and dot < at.VBLANK else 1
        is_first = now < self._first_line_until
        if dot < at.SEARCH:
            end = at.SEARCH if self._is_later() else at.COUNTED
            return 1 if line == 0 and dot < end and not is_first else 0
        if dot < at.DRAW + (at.FIRST_LATER if is_first else 0):
            return 0 if is_first else 2
        return 3 if dot < self._shows_hblank(line, now - dot) else 0

    def _shows_hblank(self, line: int, begin: int) -> int:
        """The dot in which STAT shows mode 0: at double speed that of its interrupt."""
        return self._hblank(line, begin) + self._speed.is_double

    def _hblank(self, line: int, begin: int) -> int:
        """The dot in which mode 0 begins, in a line that began in ``begin``."""
        later = at.FIRST_LATER if begin < self._first_line_until else 0
        return at.HBLANK + self._extra_dots(line, begin) + later

    def _extra_dots(self, line: int, begin: int) -> int:
        if begin == self._latched:
            return self._extra
        values = self._values
        lcdc, scx = values[0], values[_SCX - FIRST]
        if not lcdc & (at.WINDOW | at.SPRITES):
            return scx % 8
        wy, wx = values[_WY - FIRST], values[_WX - FIRST]
        return at.extra_dots(line, lcdc, scx, wy, wx, self._oam, self._oam_at, self._is_cgb)

    def _last_result(self, now: int) -> bool:
        """Where LYC is compared with nothing the last result holds, whatever is written to LYC
        meanwhile."""
        if not self._is_on or self._lyc_line(now) != at.NOTHING:
            return self._coincides(now)
        line, dot = self._place(now)
        since = now - dot
        if line < at.VISIBLE:
            since = now
        elif dot >= self._compared_until():
            since += self._compared_until()
        return self._held if self._held_in >= since else self._coincides(since - 1)
