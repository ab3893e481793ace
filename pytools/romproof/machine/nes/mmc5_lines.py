"""When an MMC5 counts a line: it looks at what the PPU fetches, which no picture is needed for.

The PPU fetches the same byte of a nametable at the end of a line twice, and once more as the first
of the next line. When the next fetch follows, in dot 3, the chip knows that a line has begun; it
takes the frame as over three cycles of the CPU after the last fetch. Sources: nesdev, "MMC5",
"Scanline detection"; Mesen 2 for the dots.
"""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER
from romproof.machine.nes.lines import MAPPER
from romproof.machine.nes.mmc5 import Mmc5
from romproof.machine.nes.regions import DOTS
from romproof.machine.nes.vblank import Frames

_NOTICED = 3
"""The dot of a line in which it is noticed."""
_SHOWN = 9
"""The dot of the first line from which on $5204 says that a frame is drawn."""
_FETCHES = -4
"""The dot, before a line, from which on the PPU must draw for the line to be noticed."""
_VISIBLE = 240
_LAST_FETCH = _VISIBLE * DOTS - 2
"""The dot of a frame."""
_SILENCE = 3
"""Cycles of the CPU without a fetch after which the frame is over."""


@fields()
class Mmc5Lines(Chip):
    """Tells an MMC5 of lines that are drawn. It is brought up to a position before anything
    changes that matters; ``due`` is the cycle in which the chip will ask for an IRQ."""

    due: int
    _reached: int
    _draws: bool
    """Whether lines were drawn when this was last looked at."""
    _since: int
    """The position from which on they are, or are not."""
    _first: bool
    """Whether a line was noticed in this frame."""
    _shown_at: int
    """The position from which on the chip says so."""

    def __init__(self, mapper: Mmc5, frames: Frames) -> None:
        self._mapper = mapper
        self._frames = frames
        self._silence = _SILENCE * frames.region.cpu // frames.region.ppu
        self._reached = -1
        self.due = NEVER

    def catch_up(self, dot: int) -> None:
        """Count the lines up to a position."""
        self._look()
        frames = self._frames
        while self._reached < dot:
            end = frames.start + frames.end
            if self._reached >= end:
                frames.catch_up(self._reached)  # to the next frame
                continue
            until = min(dot, end)
            if self._draws:
                self._count(until)
            self._end_frame(until)
            self._reached = until
        if self.due <= frames.region.sampling(dot):
            self.schedule(dot)

    def schedule(self, dot: int) -> None:
        """Work out when the chip asks for an IRQ, from a position it was brought up to."""
        self._look()
        mapper, frames = self._mapper, self._frames
        self.due = NEVER
        if not mapper.enabled or not self._draws or not 0 < mapper.target < _VISIBLE:
            return
        start = frames.start
        line = self._lines_before(dot)
        if self._first:
            line += mapper.target - mapper.counter - 1
            is_over = mapper.target <= mapper.counter
        else:
            line = self._first_line(line) + mapper.target
            is_over = False
        if is_over or line >= _VISIBLE:
            start += frames.length
            line = mapper.target
        self.due = frames.region.sampling(start + line * DOTS + _NOTICED)

    def address(self, address: int, dot: int) -> None:
        """The CPU has put an address on the PPU's bus: nothing here follows from that."""

    def before_read(self, cycle: int) -> None:
        """A register of the chip is about to be read."""
        self.catch_up(self._frames.region.read_dot(cycle))

    def after_read(self, cycle: int) -> None:
        """A register of the chip was read: the chip may have taken the frame as over."""
        if not self._mapper.in_frame and self._reached >= self._shown_at:
            self._first = False
        self.schedule(self._reached)

    def before_write(self, cycle: int) -> None:
        """A register of the chip is about to be written."""
        self.catch_up(self._frames.region.write_dot(cycle))

    def after_write(self, cycle: int) -> None:
        """A register of the chip was written."""
        self.schedule(self._reached)

    def _look(self) -> None:
        """Notice that lines are drawn from now on, or no longer."""
        draws = self._frames.rendering
        if draws != self._draws:
            self._draws = draws
            self._since = self._reached

    def _count(self, until: int) -> None:
        """Count the lines from where this was brought up to until a position in the same frame."""
        mapper, start = self._mapper, self._frames.start
        line, end = self._lines_before(self._reached), self._lines_before(until)
        if not self._first:
            line = self._first_line(line)
            if line >= end:
                return
            self._first = True
            mapper.counter = 0
            self._shown_at = start + line * DOTS + _SHOWN
            line += 1
        if line >= end:
            return
        before = mapper.counter
        mapper.counter += end - line
        if before < mapper.target <= mapper.counter:
            mapper.pending = True
            if mapper.enabled and mapper.line is not None:
                at = start + (line + mapper.target - before - 1) * DOTS + _NOTICED
                mapper.line.hold(MAPPER, self._frames.region.sampling(at))

    def _end_frame(self, until: int) -> None:
        """The frame is over when nothing was fetched for some time."""
        last = self._frames.start + _LAST_FETCH
        if not self._draws:
            last = min(last, self._since)
        if self._first and until >= last + self._silence:
            self._first = False
        self._mapper.in_frame = self._first and until >= self._shown_at

    def _lines_before(self, dot: int) -> int:
        """How many lines of this frame have been noticed up to a position, if all are drawn."""
        return max(0, min(_VISIBLE, (dot - self._frames.start - _NOTICED) // DOTS + 1))

    def _first_line(self, line: int) -> int:
        """The first line from one on that can be noticed."""
        if self._since > self._frames.start + line * DOTS + _FETCHES:
            return line + 1
        return line
