"""The flags of $2002 that come from sprites, for whoever asks, and until when they stay."""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER
from romproof.machine.nes.picture.flags import UNKNOWN, SpriteFlags
from romproof.machine.nes.picture.picture import PpuPicture
from romproof.machine.nes.regions import DOTS
from romproof.machine.nes.scroll import HEIGHT
from romproof.machine.nes.vblank import Frames
from romproof.machine.nes.video_memory import VideoMemory

_FORGOTTEN = 2
"""Frames after which nobody is expected to ask for flags."""


@fields()
class Sprites(Chip):
    """Says when flags have to be worked out: when somebody asks, and before something is written
    that changes what was drawn."""

    _first_line: int
    """The dot in which line 0 began, or will, of the lines that the flags are about."""
    _touched: int
    """The dot in which something was written last, counted from then."""
    _asked: int
    """The frame in which somebody wanted to know the flags last."""

    def __init__(self, frames: Frames, picture: PpuPicture, memory: VideoMemory) -> None:
        self.frames = frames
        self.picture = picture
        self.flags = SpriteFlags(memory, picture.scroll, picture.oam)
        self._touched = -DOTS - 1

    @property
    def parts(self) -> tuple[Chip, ...]:
        """Itself and what it is made of."""
        return self, self.flags, self.flags.search

    def look(self, dot: int) -> int:
        """The flags, as $2002 has them."""
        self._begin_lines()
        self._asked = self.picture.log.number
        self._find()
        flags = self.flags
        if self._is_left:
            self.picture.draw(dot)
            return self.picture.beam.hit << 6 | self.picture.beam.evaluation.overflow << 5
        at = dot - self._first_line
        return (flags.hit <= at) << 6 | (flags.overflow <= at) << 5

    def next_change(self, dot: int) -> int:
        """The first dot after another in which one of these flags may change, if nothing is
        written."""
        self.look(dot)
        if self._is_left:
            return dot + 1
        frames, flags = self.frames, self.flags
        at = dot - self._first_line
        # lines that come later are looked at when the flags were cleared for them
        first = frames.next_clear
        if flags.hit > at and flags.hit != NEVER:
            first = min(first, self._first_line + flags.hit)
        if flags.overflow > at and flags.overflow != NEVER:
            first = min(first, self._first_line + flags.overflow)
        return first

    def touch(self, dot: int) -> None:
        """Something is about to be written. What the lines before it made of the flags has to be
        known first, if anybody wants to know: otherwise the beam will be asked."""
        flags = self.flags
        self._begin_lines()
        if flags.hit == UNKNOWN or flags.overflow == UNKNOWN:
            if self.picture.log.number - self._asked > _FORGOTTEN:
                flags.leave()
            self._find()
        at = dot - self._first_line
        if at < HEIGHT * DOTS:
            if flags.hit > at:
                flags.hit = UNKNOWN
            self._touched = at

    def touch_height(self, dot: int) -> None:
        """The height of sprites is about to be written: it decides which are in a line."""
        if dot - self._first_line < self.flags.overflow:
            self.flags.is_overflow_left = True

    def touched(self) -> None:
        """It was written."""
        self.flags.v, self.flags.at = self.picture.scroll.v, self.picture.scroll.at

    def leave(self, dot: int) -> None:
        """Only the beam knows from now on."""
        self._begin_lines()
        self.flags.leave()
        self.picture.begin_odd(dot)

    def hit(self, dot: int) -> tuple[int, int] | None:
        """The line and the dot in which sprite 0 hits if nothing more is written; None when it does
        not, or has not yet when only the beam knows."""
        self.look(dot)
        if self._is_left:
            at = self.picture.beam.hit_at
            return divmod(at, DOTS) if self.picture.beam.hit else None
        return None if self.flags.hit == NEVER else divmod(self.flags.hit, DOTS)

    @property
    def _is_left(self) -> bool:
        return self.picture.is_odd or self.flags.is_hit_left or self.flags.is_overflow_left

    def _begin_lines(self) -> None:
        """Forget the flags when other lines are drawn than before."""
        first_line = self.frames.flags_from
        if first_line - self._first_line > DOTS:
            self.flags.forget()
            self._touched = -DOTS - 1
        self._first_line = first_line

    def _find(self) -> None:
        """Work out what is not known."""
        flags, frames = self.flags, self.frames
        if self.picture.is_odd:
            return
        if flags.hit == UNKNOWN and not flags.is_hit_left:
            flags.find_hit(frames.mask, frames.control, self._touched, self._first_line)
        if flags.overflow == UNKNOWN and not flags.is_overflow_left:
            flags.find_overflow(frames.mask, frames.control)
