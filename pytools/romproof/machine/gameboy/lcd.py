"""The LCD controller's registers and the times of its lines, without a picture.

A frame has 154 lines of 114 M-cycles; from line 144 on is VBlank. Each earlier line goes through
mode 2 (sprites are searched), 3 (pixels are drawn) and 0 (HBlank). ``line`` has the dots in
which that happens; nothing is done for a line unless somebody asks or is to be interrupted.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy import boot
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.speed import Speed

FIRST, LAST = 0xFF40, 0xFF4B
_LCDC, _STAT, _SCX, _LY, _LYC, _WY, _WX = (
    0xFF40, 0xFF41, 0xFF43, 0xFF44, 0xFF45, 0xFF4A, 0xFF4B,
)  # fmt: skip
_LENGTHEN = (_LCDC, _SCX, _WY, _WX)
"""Registers on which the length of mode 3 depends."""

LINE = at.LINE // 4
"""M-cycles of a line, at the normal speed."""
FRAME = at.FRAME // 4
"""M-cycles of a frame, at the normal speed."""
_VBLANK_AT = at.VISIBLE * at.LINE + at.VBLANK
"""The dot of a frame in which VBlank begins."""

_ON_HBLANK, _ON_VBLANK, _ON_SEARCH, _ON_LYC = 0x08, 0x10, 0x20, 0x40
_SOURCES = 0x78
"""The bits of STAT that choose what requests the interrupt: a mode, or LY = LYC."""
_COINCIDES = 0x04
_STAT_UNUSED = 0x80


@fields(_values=LAST - FIRST + 1)
class LineCounter(Chip):
    """LCDC, STAT, LY, LYC, and the registers for scrolling and colours, which are only stored.

    All that STAT shows and that can request its interrupt is one signal; the interrupt is
    requested when that rises. ``memory`` has the sprites; None: there are none.

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
    _sources: int
    _latched: int
    _extra: int
    """The dot in which the last line began whose length is known, and its ``extra_dots``."""
    _event: int
    """The dot in which something may be requested next."""
    _due: int

    def __init__(
        self,
        signals: Signals,
        memory: at.HasOam | None = None,
        speed: Speed | None = None,
        begin: boot.Begin = boot.DMG,
        is_cgb: bool = False,
    ) -> None:
        self._signals = signals
        self._speed = speed or Speed()
        self._is_cgb = int(is_cgb)
        self._oam, self._oam_at = (
            (bytearray(at.OAM_SIZE), 0) if memory is None else (memory.space.store, memory.oam_at)
        )
        self._values[:] = list(begin.lcd)
        self._is_on = True
        self._start, self._begin = -begin.dot, NEVER
        self._first_line_until = self._start
        self._held_in = self._latched = -1
        self.listeners: list[at.OnSwitch] = []
        self._look_ahead(0)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        if address == _LY:
            return self._ly(cycle)
        if address == _STAT:
            return _STAT_UNUSED | self._sources | self._state(self._seen(cycle))
        return self._values[address - FIRST]

    def steady_until(self, address: int, value: int, cycle: int, mask: int) -> int:
        """Steady: until LY counts; until anything that STAT shows may change, or bit 1 of it
        alone, which modes 2 and 3 have in common."""
        if address not in (_LY, _STAT) or not self._is_on:
            return NEVER
        now = self._seen(cycle)
        line, dot = self._place(now)
        if address == _LY:
            is_last = line == at.LAST and dot < self._counts_as_0()
            later = self._counts_as_0() if is_last else at.LINE + at.COUNTED
            change = dot + 1 if dot < at.COUNTED else later
        elif dot < at.SEARCH or (line >= at.VISIBLE and dot <= at.LAST_IS_0):
            change = dot + 1
        elif line >= at.VISIBLE:
            change = at.LINE
        elif dot < at.DRAW + at.FIRST_LATER and not (value & 2 and mask & 3 == 2):
            change = dot + 1 if dot >= at.DRAW - 1 else at.DRAW
        else:
            change = self._shows_hblank(line, now - dot) if value & 3 else at.LINE
        return self._sees(now - dot + change)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        dot = self._seen(cycle)
        if address == _STAT:
            self._write_stat(value, dot)
            return
        if address in _LENGTHEN:
            self.latch(cycle)
        before = self._signal(dot)
        if address == _LYC and self._is_on and self._lyc_line(dot) == at.NOTHING:
            self._held, self._held_in = self._last_result(dot), dot
        if address == _LCDC:
            self._switch(bool(value & at.SHOWN), cycle)
        if address != _LY:
            self._values[address - FIRST] = value
        self._rise(before, dot)
        self._look_ahead(dot)

    def next_vblank(self, cycle: int) -> int:
        """The cycle after ``cycle`` in which VBlank begins, or would if the LCD were on."""
        now = self._seen(cycle)
        return self._sees(now + at.FRAME - (now - self._start - _VBLANK_AT) % at.FRAME)

    def due(self) -> int:
        """Clocked: when an interrupt may be requested."""
        return self._due

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if self._due <= cycle:
            self._advance(self._seen(cycle))

    def speed_changes(self) -> None:
        """Work out anew when the next event comes: the CPU has the other speed."""
        if self._event != NEVER:
            self._due = self._sees(self._event)

    def advance_past(self, cycle: int) -> None:
        """What comes in the dot in which an access of ``cycle`` ends has happened, too."""
        self.advance(cycle)
        self._advance(self._speed.dot(cycle))

    def latch(self, cycle: int) -> None:
        """What the length of a line depends on is about to change: if the line draws already,
        its own stays as it is."""
        if self._is_on:
            line, dot = self._place(self._seen(cycle))
            if line < at.VISIBLE and dot >= at.LATCHED:
                begin = self._seen(cycle) - dot
                self._extra, self._latched = self._extra_dots(line, begin), begin

    # Whether the CPU can reach OAM and VRAM

    def hides_oam(self, cycle: int) -> bool:
        """Whether OAM reads as $FF."""
        begin = at.SEARCH if self._speed.is_double else at.COUNTED
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
            return before & line if self._is_cgb and dot == at.COUNTING else before
        return 0 if line == at.LAST and dot >= self._counts_as_0() else line

    def _counts_as_0(self) -> int:
        """The dot of the last line from which on it is line 0."""
        return at.COUNTS_AS_0_DOUBLE if self._speed.is_double else at.COUNTS_AS_0

    def _lyc_line(self, now: int) -> int:
        """What LYC is compared with, see ``at.lyc_line``."""
        line, dot = self._place(now)
        return at.lyc_line(line, dot, self._last_compared())

    def _last_compared(self) -> int:
        """The dot of the last line up to which LYC is compared with its number."""
        return at.LAST_IS_0 if self._speed.is_double else at.LAST_COMPARED.stop

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
        return mode | _COINCIDES if at.lyc_line(line, dot, self._last_compared()) == self._values[_LYC - FIRST] else mode

    def _mode(self, line: int, dot: int, now: int) -> int:
        if line >= at.VISIBLE:
            return 0 if line == at.VISIBLE and dot < at.VBLANK else 1
        is_first = now < self._first_line_until
        if dot < at.SEARCH:
            end = at.SEARCH if self._speed.is_double else at.COUNTED
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

    # The signal that requests the interrupt

    def _signal(self, now: int) -> bool:
        """Whether anything that was chosen in STAT is the case."""
        if self._sources & _ON_LYC and self._last_result(now):
            return True
        if not self._is_on:
            return False
        line, dot = self._place(now)
        if line > at.VISIBLE or (line == at.VISIBLE and dot >= at.VBLANK):
            return bool(self._sources & _ON_VBLANK)
        if line == 0 and dot < at.SEARCH:
            return bool(self._sources & _ON_VBLANK) and now >= self._first_line_until
        if line and dot < (at.VBLANK if line == at.VISIBLE else at.COUNTED):
            return bool(self._sources & _ON_HBLANK)
        if dot == at.search(line):
            return bool(self._sources & _ON_SEARCH) and now >= self._first_line_until
        if dot < at.DRAW or not self._sources & _ON_HBLANK:
            return False
        return dot > self._hblank(line, now - dot)

    def _last_result(self, now: int) -> bool:
        """Where LYC is compared with nothing the last result holds, whatever is written to LYC
        meanwhile."""
        if not self._is_on or self._lyc_line(now) != at.NOTHING:
            return self._coincides(now)
        line, dot = self._place(now)
        since = now - dot
        if line < at.VISIBLE:
            since = now
        elif dot >= self._last_compared():
            since += self._last_compared()
        return self._held if self._held_in >= since else self._coincides(since - 1)

    def _rise(self, before: bool, now: int) -> None:
        if not before and self._signal(now):
            self._request(Interrupt.STAT, now)

    def _request(self, line: Interrupt, now: int) -> None:
        if self._signals.requested & line:
            return  # it was in time
        speed = self._speed
        # a Color's halted CPU looks when a cycle begins, and sees all of it in the next one
        is_late = bool(self._is_cgb or now - speed.offset >> speed.shift - 1 & 1)
        self._signals.request(line, self._sees(now), late=is_late)

    def _write_stat(self, value: int, now: int) -> None:
        """For the length of a dot the DMG acts as if all sources were chosen, but for mode 2
        where that begins while HBlank requests (SameBoy, GB_CONFLICT_STAT_DMG); the Color has
        what it had of one source: of LYC, at double speed of mode 0 (GB_CONFLICT_STAT_CGB)."""
        before = self._signal(now)
        if self._is_cgb:
            stays = _ON_HBLANK if self._speed.is_double else _ON_LYC
            self._sources = value & _SOURCES & ~stays | self._sources & stays
            self._rise(before, now)
            self._look_ahead(now)
            self._advance(now + 1)
            before = self._signal(now + 1)
            self._sources = value & _SOURCES
            self._rise(before, now + 1)
            self._look_ahead(now + 1)
            return
        chosen = self._sources & (_ON_HBLANK | _ON_SEARCH)
        search = self._place(now)[1] == at.COUNTED and chosen == _ON_HBLANK
        self._sources = _SOURCES & ~_ON_SEARCH if search else _SOURCES
        self._rise(before, now)
        self._look_ahead(now)
        self._advance(now + 1)
        self._sources = value & _SOURCES
        self._look_ahead(now + 1)

    def _switch(self, on: bool, cycle: int) -> None:
        if on == self._is_on:
            return
        self._coincided = self._coincides(self._seen(cycle))
        self._is_on = on
        self._start, self._begin = self._speed.dot(cycle) - at.ON, NEVER
        self._first_line_until = self._start + at.LINE
        self._latched = self._held_in = -1
        for listener in self.listeners:
            listener.lcd_switches(on)

    # What comes next

    def _advance(self, now: int) -> None:
        """Do all that comes up to a dot."""
        while self._event <= now:
            event = self._event
            line, dot = self._place(event)
            before = self._signal(event - 1)
            self._rise(before, event)
            if line == at.VISIBLE:
                if self._sources & _ON_SEARCH and not before and dot in at.SEARCH_IN_VBLANK:
                    self._request(Interrupt.STAT, event)
                if dot == at.VBLANK:
                    self._request(Interrupt.VBLANK, event)
            self._look_ahead(event)

    def _look_ahead(self, now: int) -> None:
        """Find the first dot after another in which something may be requested."""
        self._event = self._next_event(now) if self._is_on else NEVER
        self._due = self._event if self._event == NEVER else self._sees(self._event)

    def _next_event(self, now: int) -> int:
        line, dot = self._place(now)
        begin = now - dot
        event = self._event_in(line, begin, dot)
        if event >= 0:
            return begin + event
        following = self._following(line)
        begin += ((following - line - 1) % at.LINES + 1) * at.LINE
        return begin + self._event_in(following, begin, -1)

    def _event_in(self, line: int, begin: int, after: int) -> int:
        """The first dot of a line after another in which something may be requested; -1 when
        there is none."""
        sources = self._sources
        lyc = self._values[_LYC - FIRST]
        if line < at.VISIBLE:
            if sources & _ON_SEARCH and begin >= self._first_line_until and at.search(line) > after:
                return at.search(line)
            if sources & _ON_LYC and line and line == lyc and after < at.SEARCH:
                return at.SEARCH
            if sources & _ON_HBLANK:
                hblank = self._hblank(line, begin) + 1
                return hblank if hblank > after else -1
            return -1
        if sources & _ON_SEARCH and line == at.VISIBLE and after < at.VBLANK_SEARCH:
            return at.VBLANK_SEARCH
        if sources & _ON_LYC:
            compared = -1
            if line == lyc:
                compared = at.SEARCH_BLANKED if line != at.LAST else at.LAST_COMPARED.start
            elif lyc == 0 and line == at.LAST:
                compared = at.LAST_IS_0
            if compared > after:
                return compared
        return at.VBLANK if line == at.VISIBLE and after < at.VBLANK else -1

    def _following(self, line: int) -> int:
        """The first line after another in which something may be requested; in most it is only
        VBlank."""
        best = at.VISIBLE
        if self._sources & (_ON_HBLANK | _ON_SEARCH):
            if line < at.VISIBLE:
                return line + 1
            best = at.nearer(line, 0, best)
        lyc = self._values[_LYC - FIRST]
        if self._sources & _ON_LYC and lyc < at.LINES:
            best = at.nearer(line, lyc or at.LAST, best)
        return best
