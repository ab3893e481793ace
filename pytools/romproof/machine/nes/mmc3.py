"""MMC3 (mapper 4), and its counter of lines."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence

from romproof.engine.chips import fields
from romproof.engine.space import NEVER
from romproof.formats.ines import Ines
from romproof.machine.nes.lines import MAPPER
from romproof.machine.nes.mappers import KIB, NO_RAM, RAM_READ, RAM_WRITTEN, Mapper

_LOW_DOTS = 10
"""Dots for which address line 12 must have been low before its rise counts: it is the CPU's clock
that is filtered, three cycles of it (nesdev, "MMC3", "IRQ specifics")."""


_OLD_CHIPS = (1, 4)
"""Submappers, MMC6 and MMC3A, that ask for an IRQ only when the counter comes to 0, not when it
is 0 again and again because of a latch of 0."""


@fields(words={"_chosen": 8})
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
    switches_graphics = True
    submappers = (0, *_OLD_CHIPS)
    most_prg = 2048 * KIB
    most_chr = 256 * KIB
    has_irq = True

    _choice: int
    _chosen: MutableSequence[int]
    """The eight registers of banks, and which of them $8001 is."""
    _ram: int
    _latch: int
    _counter: int
    _reload: bool
    _enabled: bool
    _high: bool
    _low_since: int
    horizontal: bool
    _four: bool
    """Whether the cartridge has memory for four nametables."""

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._chosen[:] = [0, 2, 4, 5, 6, 7, 0, 1]
        self._ram = 0x80
        self.horizontal = header.mirroring != "vertical"
        self._four = header.mirroring == "four-screen"

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        register = address >> 12 & 6 | address & 1
        if register == 0:
            self._choice = value
        elif register == 1:
            self._chosen[self._choice & 7] = value
        elif register == 2:
            self.horizontal = bool(value & 1)
        elif register == 3:
            self._ram = value
        elif register == 4:
            self._latch = value
        elif register == 5:
            self._counter, self._reload = 0, True
        elif register == 6:
            self._enabled = False
            if self.line is not None:
                self.line.release(MAPPER)
        else:
            self._enabled = True
        return register < 4

    def prg(self, window: int) -> int:
        """See Mapper."""
        if window & 1:
            return self.banks - 1 if window == 3 else self._chosen[7]
        exchanged = 2 if self._choice & 0x40 else 0
        return self._chosen[6] if window == exchanged else self.banks - 2

    def pattern(self, place: int) -> int:
        """See Mapper."""
        wanted = place ^ (self._choice >> 5 & 4)
        if wanted < 4:
            return self._chosen[wanted >> 1] & ~1 | wanted & 1
        return self._chosen[wanted - 2]

    def nametable(self, place: int) -> int:
        """See Mapper."""
        if self._four:
            return place
        return place >> 1 if self.horizontal else place & 1

    def ram(self) -> int:
        """See Mapper."""
        if not self._ram & 0x80:
            return NO_RAM
        return RAM_READ if self._ram & 0x40 else RAM_WRITTEN

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 1:
            self._chosen[7] = bank
        elif window == (2 if self._choice & 0x40 else 0):
            self._chosen[6] = bank

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
