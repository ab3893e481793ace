"""The LCD controller's registers and interrupts, without a picture: nothing is done for a line
unless somebody asks or is to be interrupted."""

from __future__ import annotations

from romproof.engine.chips import fields
from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.lines import FIRST, Lines
from romproof.machine.gameboy.model import DMG, Console
from romproof.machine.gameboy.picture.log import REGISTERS
from romproof.machine.gameboy.speed import Speed

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
_STAT_UNUSED = 0x80


@fields()
class LineCounter(Lines):
    """LCDC, STAT, LY, LYC, and the registers for scrolling and colours, which are only stored.

    All that STAT shows and that can request its interrupt is one signal; the interrupt is
    requested when that rises.
    """

    _sources: int
    _event: int
    """The dot in which something may be requested next."""
    _due: int

    def __init__(
        self,
        signals: Signals,
        memory: at.HasOam | None = None,
        speed: Speed | None = None,
        kind: Console = DMG,
    ) -> None:
        super().__init__(memory, speed, kind)
        self._signals = signals
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
            if self.log is not None:
                self.log.note(REGISTERS + address - FIRST, value, dot + 1)
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
        if self.log is not None:
            self.log.switch(on, self._start)
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
                compared = at.SEARCH_BLANKED if line != at.LAST else self._compared_from()
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
