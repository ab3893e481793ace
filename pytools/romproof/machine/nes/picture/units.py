"""The eight sprites of a line: shift registers that wait for their dots."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields

NOWHERE = 0x7FFF
"""A dot of no line: where a sprite begins that is not there."""
COUNT = 8
_MIRRORED = 0x40
"""The bit of attributes."""


@fields(words={"starts": COUNT}, low=COUNT, high=COUNT, attributes=COUNT)
class SpriteUnits(Chip):
    """``starts`` has the dot in which each begins, ``low`` and ``high`` its pixels, the first at
    the top. In ``waiting``, ``expired`` and ``active`` there is a bit for each: whether it waits
    for its dot, has done so, and puts out pixels."""

    starts: MutableSequence[int]
    low: MutableSequence[int]
    high: MutableSequence[int]
    attributes: MutableSequence[int]
    waiting: int
    expired: int
    active: int
    next_start: int
    """The first dot in which one begins."""
    zero: bool
    """Whether the first of them is sprite 0."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """None of them is there."""
        self.active = self.waiting = self.expired = 0
        for place in range(COUNT):
            self.starts[place] = NOWHERE
        self.next_start = NOWHERE
        self.zero = False

    def load(self, place: int, low: int, high: int, attributes: int, x: int) -> None:
        """One was read: its pixels, attributes and place in a line; outside of lines it is at
        NOWHERE."""
        self.attributes[place] = attributes
        if x == NOWHERE:
            self.low[place] = self.high[place] = 0
            self.starts[place] = NOWHERE
            return
        if attributes & _MIRRORED:
            low, high = reverse(low), reverse(high)
        self.low[place], self.high[place] = low, high
        self.starts[place] = x + 1
        self.expired &= ~(1 << place)

    def plan(self, after: int) -> None:
        """Find the first dot after another in which one begins."""
        first = NOWHERE
        for place in range(COUNT):
            start = self.starts[place]
            if start > after and start < first:
                first = start
        self.next_start = first

    def start(self, column: int) -> None:
        """Those whose dot this is put out pixels from now on."""
        for place in range(COUNT):
            bit = 1 << place
            if self.starts[place] == column and self.waiting & bit:
                self.active |= bit
                self.expired |= bit
                self.waiting &= ~bit
        self.plan(column)

    def end_line(self, is_shown: bool) -> None:
        """Those that were read begin to wait; others put out what is left. ``is_shown``: whether
        lines are drawn."""
        there = 0
        for place in range(COUNT):
            if self.starts[place] != NOWHERE:
                there |= 1 << place
        if is_shown:
            self.waiting = (self.waiting | there) & ~self.expired
        self.active = there & ~self.waiting

    def delay(self) -> None:
        """All begin a dot later: the line before was a dot shorter."""
        for place in range(COUNT):
            if self.starts[place] != NOWHERE:
                self.starts[place] += 1

    def put(self, among: int) -> int:
        """Put out a pixel of each; the first that is opaque, times 4, and its pixel."""
        shown = 0
        for number in range(COUNT):
            place = COUNT - 1 - number
            if among >> place & 1:
                low, high = self.low[place], self.high[place]
                pixel = low >> 7 | high >> 7 << 1
                if pixel:
                    shown = place << 2 | pixel
                low, high = low << 1 & 0xFF, high << 1 & 0xFF
                self.low[place], self.high[place] = low, high
                if not low and not high:
                    self.active &= ~(1 << place)
        return shown


def reverse(byte: int) -> int:
    """The bits of a byte in reverse order."""
    byte = (byte & 0x0F) << 4 | byte >> 4
    byte = (byte & 0x33) << 2 | byte >> 2 & 0x33
    return (byte & 0x55) << 1 | byte >> 1 & 0x55
