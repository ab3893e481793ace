"""When an MMC3 counts a line: without pixels, from where patterns are said to be."""

from __future__ import annotations

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.space import NEVER
from romproof.machine.nes.mmc3 import Mmc3
from romproof.machine.nes.regions import DOTS
from romproof.machine.nes.vblank import Frames

_SPRITES, _BACKGROUND = 261, 325
"""The dot of a line in which address line 12 rises (nesdev, "MMC3", "IRQ specifics"), by what has
its patterns at $1000."""
_FIRST = 5
"""The same in the first line that is drawn, before line 0, when it is the background: nothing
was fetched before (mmc3_test_2/4)."""
_VISIBLE = 240


@fields()
class LineClock(Chip):
    """Tells an MMC3 of lines that are drawn. It is brought up to a position before anything
    changes that matters; ``due`` is the cycle in which the chip will ask for an IRQ."""

    _reached: int
    due: int

    def __init__(self, mapper: Mmc3, frames: Frames) -> None:
        self._mapper = mapper
        self._frames = frames
        self._reached = -1
        self.due = NEVER

    @in_python
    def catch_up(self, dot: int) -> None:
        """Count the lines up to a position."""
        reached = self._reached
        if dot <= reached:
            return
        frames = self._frames
        while (at := self._after(reached)) <= dot:
            reached = at
            frames.catch_up(at)
            self._mapper.clock(frames.region.sampling(at))
        self._reached = dot
        self.schedule(dot)

    @in_python
    def schedule(self, dot: int) -> None:
        """Work out when the chip asks for an IRQ, from a position on."""
        self.due = NEVER
        count = self._mapper.clocks_to_irq()
        if count == NEVER:
            return
        at = dot
        while count and (at := self._after(at)) != NEVER:
            count -= 1
        if at != NEVER:
            self.due = self._frames.region.sampling(at)

    @in_python
    def address(self, address: int, dot: int) -> None:
        """The CPU has put an address on the PPU's bus."""
        self._mapper.address(address, dot, lambda: self._frames.region.sampling(dot))
        self.schedule(dot)

    def before_read(self, cycle: int) -> None:
        """No register of the chip can be read."""

    def after_read(self, cycle: int) -> None:
        """See ``before_read``."""

    def before_write(self, cycle: int) -> None:
        """A register of the chip is about to be written."""
        self.catch_up(self._frames.region.write_dot(cycle))

    def after_write(self, cycle: int) -> None:
        """A register of the chip was written."""
        self.schedule(self._frames.region.write_dot(cycle))

    def _after(self, dot: int) -> int:
        """The first position after another in which a line counts; NEVER when none does."""
        frames = self._frames
        columns = self._columns()
        if not frames.rendering or not columns:
            return NEVER
        start, region = frames.start, frames.region
        line = max(-1, (dot - start) // DOTS)
        while True:
            if _VISIBLE <= line < region.lines - 1:
                line = region.lines - 1
            if line == region.lines:
                start, line = start + region.length, 0
            last = line in (-1, region.lines - 1)
            for column in columns:
                at = start + line * DOTS + column
                if at > dot and (last or column != _FIRST):
                    return at
            line += 1

    def _columns(self) -> tuple[int, ...]:
        """The dots of a line in which address line 12 rises."""
        control = self._frames.control
        if control & 0x20 or control & 0x18 == 0x08:
            return (_SPRITES,)
        return (_FIRST, _BACKGROUND) if control & 0x18 == 0x10 else ()
