"""Where the PPU is in its frame, its flags that change by themselves, and NMI.

The PPU is not run: it is brought up to a dot when the CPU looks at it or changes something. The
one thing it has to say by itself is NMI, whose cycle is worked out ahead. Positions are dots
since the machine was switched on. Source: nesdev, "PPU frame timing" and "NMI"; public tests
(ppu_vbl_nmi) decide where it leaves a dot open.
"""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, Signals
from romproof.machine.nes.picture.picture import PpuPicture
from romproof.machine.nes.regions import DOTS, Region

RENDERING = 0x18
"""The bits of $2001 that show background and sprites: with either, lines are drawn."""
NMI_ENABLED = 0x80
"""The bit of $2000."""
_VISIBLE = 240
"""Lines of the picture."""
_DRAWN = _VISIBLE * DOTS
"""The dot of a frame in which its picture is complete."""
_SKIP = 338
"""The dot of the last line from which on a write to $2001 comes too late to decide whether its
last dot is left out (ppu_vbl_nmi/10)."""


@fields()
class Frames(Chip):
    """The frame counter of a PPU. It tells ``picture`` when a frame is complete."""

    start: int
    """The position of line 0, dot 0 of this frame."""
    odd: bool
    mask: int
    control: int
    """$2001 and $2000."""
    blank: bool
    """Whether it is vertical blank and nobody has read it."""
    _kept_dot: bool
    """Whether the frame before this one could have been a dot shorter and was not."""
    _suppressed: bool
    """Whether vertical blank of this frame shall not be reported."""
    _reached: int
    """The position up to which all has happened."""
    _next: int
    """The position of what happens next."""
    nmi_due: int
    """The cycle in which NMI falls next."""

    def __init__(self, region: Region, signals: Signals, picture: PpuPicture) -> None:
        self.region = region
        self.picture = picture
        self._signals = signals
        self.nmi_due = NEVER
        self._plan(-1)

    @property
    def rendering(self) -> bool:
        """Whether lines are drawn, in those that are."""
        return bool(self.mask & RENDERING)

    @property
    def next_change(self) -> int:
        """The position at which vertical blank begins or ends next, if nothing is written."""
        if self.blank:
            return self._next
        blank = self.start + self.region.blank
        return blank if self._reached < blank else blank + self.length

    @property
    def first_line(self) -> int:
        """The position in which line 0 begins of the lines that are drawn, or come next, as seen
        from the dots in front of it."""
        is_over = self._reached >= self.start + _DRAWN
        return self.start + self.region.length if is_over else self.start

    @property
    def flags_from(self) -> int:
        """The position in which line 0 began, or will, of the lines that made the flags of sprites:
        these are cleared in the first dot of the line before it."""
        is_cleared = self._reached >= self.start + self.region.clear - 1
        return self.start + self.length if is_cleared else self.start

    @property
    def next_clear(self) -> int:
        """The position in which they are cleared next."""
        clear = self.start + self.region.clear - 1
        return clear if self._reached < clear else clear + self.length

    @property
    def is_between(self) -> bool:
        """Whether no line is drawn, even if there is a picture."""
        line = (self._reached - self.start) // DOTS
        return _VISIBLE <= line < self.region.lines - 1

    def drawing(self, dot: int) -> bool:
        """Whether the PPU is drawing at a position it was brought up to."""
        line = (dot - self.start) // DOTS
        return self.rendering and (line < _VISIBLE or line >= self.region.lines - 1)

    def place(self, dot: int) -> tuple[int, int]:
        """The line and the dot in it of a position that we were brought up to."""
        place = dot - self.start
        if place < 0:  # the last dots of a frame, whose length is decided
            was_short = self.region.skips and not self.odd and self.rendering
            return self.region.lines - 1, DOTS - was_short + place
        return divmod(place, DOTS)

    def catch_up(self, dot: int) -> None:
        """Bring the flags up to a position."""
        while self._next <= dot:
            self._reached = self._next
            place = self._next - self.start
            if place == _DRAWN:
                self.picture.scroll.follow(self._next, self.start, self.rendering)
                self.picture.complete(self._next, self.rendering, self.mask, self.control, self.odd)
            if place == self.region.blank:
                self.blank = not self._suppressed
            if place == self.region.clear:
                self.blank = False
            if place == self.end:
                self.follow(self._next)
                self.start += self.length
                self._kept_dot = self.region.skips and self.odd and not self.rendering
                self.odd = not self.odd
                self._suppressed = False
            self._plan(self._reached)
        self._reached = dot

    def follow(self, dot: int) -> None:
        """Let the lines that are drawn move the PPU's address, up to a position."""
        self.picture.scroll.follow(dot, self.first_line, self.rendering)

    def read_status(self, cycle: int, dot: int) -> None:
        """$2002 is read: vertical blank is over, and NMI of this very cycle does not come."""
        self.advance(cycle - 1)
        self.blank = False
        if dot == self.start + self.region.blank - 1:
            self._suppressed = True
        if self._signals.nmi_at == cycle:
            self._signals.nmi_at = NEVER
        if self.nmi_due == cycle:
            self.schedule(cycle + 1)

    def write_control(self, value: int, cycle: int) -> None:
        """$2000 is written, at a position we were brought up to."""
        self.advance(cycle - 1)
        before, self.control = self.control & NMI_ENABLED, value
        if not value & NMI_ENABLED:
            if self._signals.nmi_at == cycle:
                self._signals.nmi_at = NEVER
        elif not before and self.blank and self.region.sample_dot(cycle) < self._clear:
            self._signals.nmi_at = min(self._signals.nmi_at, cycle)
        self.schedule(cycle)

    def write_mask(self, value: int, cycle: int) -> None:
        """$2001 is written, at a position we were brought up to."""
        self.mask = value
        self.schedule(cycle)

    def schedule(self, cycle: int) -> None:
        """Work out when NMI falls, not before ``cycle``."""
        self.nmi_due = NEVER
        if not self.control & NMI_ENABLED:
            return
        blank = self.start + self.region.blank
        due = self.region.sampling(blank)
        if due < cycle or self._suppressed:
            due = self.region.sampling(blank + self.length)
        self.nmi_due = due

    def advance(self, cycle: int) -> None:
        """NMI falls when its time has come; the flags stay where they were brought to."""
        while self.nmi_due <= cycle:
            due = self.nmi_due
            self._signals.nmi_at = min(self._signals.nmi_at, due)
            # up to the dot before vertical blank, so that the frame is the one it belongs to
            self.catch_up(max(self._reached, self.region.read_dot(due) - 4))
            self.schedule(due + 1)

    def next_blank(self, cycle: int) -> int:
        """The first cycle after another whose read sees vertical blank begin.

        If ``cycle`` is the one that this answered before the picture was turned off, and vertical
        blank is a dot late for that, it is the next one's: one frame is not counted twice.
        """
        blank, length = self.start + self.region.blank, self.length
        if self._kept_dot and self.region.reading(blank - 1) <= cycle < self.region.reading(blank):
            blank, length = blank + length, self.region.length
        while (begins := self.region.reading(blank)) <= cycle:
            blank, length = blank + length, self.region.length
        return begins

    def reset(self) -> None:
        """The reset line: $2000 and $2001 are 0. Where the frame is stays."""
        self.mask = self.control = 0
        self.nmi_due = NEVER

    @property
    def _clear(self) -> int:
        """The position in which vertical blank of this frame ends."""
        return self.start + self.region.clear

    @property
    def length(self) -> int:
        """Dots of this frame, if nothing changes."""
        return self.region.length - (self.region.skips and self.odd and self.rendering)

    @property
    def end(self) -> int:
        """The dot of a frame in which it is decided how long it is."""
        return (self.region.lines - 1) * DOTS + _SKIP

    def _plan(self, reached: int) -> None:
        """Find what happens after a position. In the last dots of a frame ``start`` is that of the
        next one, and nothing happens."""
        self._reached = reached
        place = reached - self.start
        first = self.end
        if self.region.blank > place:
            first = min(first, self.region.blank)
        if self.region.clear > place:
            first = min(first, self.region.clear)
        if place < _DRAWN:
            first = _DRAWN
        self._next = self.start + first
