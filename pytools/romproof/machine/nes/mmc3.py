"""MMC3 (mapper 4), and its counter of lines."""

from __future__ import annotations

from collections.abc import Callable

from romproof.engine.space import NEVER
from romproof.formats.ines import Ines
from romproof.machine.nes.lines import MAPPER, IrqLine
from romproof.machine.nes.mappers import FOUR_SCREEN, HORIZONTAL, VERTICAL, Mapper, Sight

_LOW_DOTS = 10
"""Dots for which address line 12 must have been low before its rise counts: it is the CPU's clock
that is filtered, three cycles of it (nesdev, "MMC3", "IRQ specifics")."""


_OLD_CHIPS = (1, 4)
"""Submappers, MMC6 and MMC3A, that ask for an IRQ only when the counter comes to 0, not when it
is 0 again and again because of a latch of 0."""


class Mmc3(Mapper):
    """MMC3 (4): 8 KiB windows, two of them choosable, and an IRQ after a number of lines.

    The counter counts how often address line 12 of the PPU rises. While lines are drawn that is
    once a line, when sprites and background have their patterns in different halves; ``lines``
    says how often, and when. Besides, it rises by what the CPU writes to $2006 and does with
    $2007. The chip asks for an IRQ whenever the counter is 0 after that.
    """

    window = 0x2000
    registers = (0x8000, 0x10000)
    fixed = False

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._choice = 0
        self._banks = [0, 2, 4, 5, 6, 7, 0, 1]
        self._ram = 0x80
        self._latch = self._counter = 0
        self._reload = self._enabled = False
        self._high, self._low_since = False, 0
        self.line: IrqLine | None = None
        self.horizontal = header.mirroring != "vertical"

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        match address >> 12 & 6 | address & 1:
            case 0:
                self._choice = value
            case 1:
                self._banks[self._choice & 7] = value
            case 2:
                self.horizontal = bool(value & 1)
            case 3:
                self._ram = value
            case 4:
                self._latch = value
            case 5:
                self._counter, self._reload = 0, True
            case 6:
                self._enabled = False
                if self.line is not None:
                    self.line.release(MAPPER)
            case 7:
                self._enabled = True

    def sight(self) -> Sight:
        """See Mapper."""
        last = self.banks - 1
        low, high = self._banks[6] & 0x3F, last - 1
        prg = (high, self._banks[7] & 0x3F, low, last) if self._choice & 0x40 else (
            low, self._banks[7] & 0x3F, high, last)  # fmt: skip
        r = self._banks
        halves = [r[0] & ~1, r[0] | 1, r[1] & ~1, r[1] | 1, *r[2:6]]
        chr = (*halves[4:], *halves[:4]) if self._choice & 0x80 else tuple(halves)
        wired = HORIZONTAL if self.horizontal else VERTICAL
        four = self.header.mirroring == "four-screen"
        usable = bool(self._ram & 0x80)
        return Sight(
            prg, tuple(chr), FOUR_SCREEN if four else wired,
            usable, usable and not self._ram & 0x40,
        )  # fmt: skip

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 1:
            self._banks[7] = bank
        elif window == (2 if self._choice & 0x40 else 0):
            self._banks[6] = bank

    def clocks_to_irq(self) -> int:
        """After how many lines IRQ comes; NEVER when it is off."""
        if not self._enabled:
            return NEVER
        if self._reload or not self._counter:
            return self._latch + 1
        return self._counter

    def clock(self, cycle: int) -> None:
        """Address line 12 has risen: a line is drawn."""
        before = self._counter or self._reload
        if self._reload or not self._counter:
            self._counter = self._latch
            self._reload = False
        else:
            self._counter -= 1
        if self.header.submapper in _OLD_CHIPS and not before:
            return
        if not self._counter and self._enabled and self.line is not None:
            self.line.hold(MAPPER, cycle)

    def address(self, address: int, dot: int, cycle: Callable[[], int]) -> None:
        """The CPU has put an address on the PPU's bus."""
        high = bool(address & 0x1000)
        if high and not self._high and dot - self._low_since >= _LOW_DOTS:
            self.clock(cycle())
        if not high and self._high:
            self._low_since = dot
        self._high = high
