"""The sample channel: when it fetches bytes, the cycles that takes, and its IRQ.

A byte lasts eight clocks of the channel's timer, which always runs. A fetch takes the bus from
the CPU for three or four cycles, one of which reads the byte. Source: nesdev, "APU DMC" and
"DMA". Here the cycles are taken before the last cycle of an instruction, not before the very
read in which the console halts; the fetch repeats no read of a register.
"""

from __future__ import annotations

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, AddressSpace
from romproof.machine.nes.lines import DMC, IrqLine
from romproof.machine.nes.regions import Region

_NTSC = (428, 380, 340, 320, 286, 254, 226, 214, 190, 160, 142, 128, 106, 84, 72, 54)
_PAL = (398, 354, 316, 298, 276, 236, 210, 198, 176, 148, 132, 118, 98, 78, 66, 50)
"""Cycles of a clock of the timer, by the low four bits of $4010."""
_IRQ, _LOOP = 0x80, 0x40
_BITS = 8


@fields()
class Dmc(Chip):
    """The channel. ``due`` is the cycle in which it fetches the next byte, NEVER for none."""

    _flags: int
    _period: int
    _address: int
    _length: int
    _left: int
    """Bytes that are still to be fetched."""
    _full: bool
    """Whether a byte waits for the one that is being played to end."""
    _bits: int
    """Clocks until that is so."""
    _clock: int
    """The cycle of the next clock of the timer."""
    _start: int
    """The cycle of a fetch that does not wait for the timer."""
    due: int

    def __init__(self, region: Region, space: AddressSpace, line: IrqLine) -> None:
        self._periods = _PAL if region.name == "pal" else _NTSC
        self._space = space
        self._line = line
        self._address, self._length = 0xC000, 1
        self._bits = _BITS
        self._clock = self._periods[0]
        self._start = self.due = NEVER

    def write(self, register: int, value: int, cycle: int) -> None:
        """$4010 to $4013, in a cycle we were brought up to."""
        if register == 0:
            self._flags = value
            self._period = value & 0x0F
            if not value & _IRQ:
                self._line.release(DMC)
        elif register == 2:
            self._address = 0xC000 | value << 6
        elif register == 3:
            self._length = value << 4 | 1
        self._schedule()

    def enable(self, on: bool, cycle: int) -> None:
        """Bit 4 of $4015, in a cycle we were brought up to."""
        self._line.release(DMC)
        if not on:
            self._left, self._start = 0, NEVER
        elif not self._left:
            self._left = self._length
            if not self._full:
                self._start = cycle + (3 if cycle & 1 else 4)
        self._schedule()

    def status(self, cycle: int) -> int:
        """The bits of $4015."""
        return bool(self._left) << 4 | self._line.holds(DMC) << 7

    def catch_up(self, cycle: int) -> None:
        """All that happens up to a cycle."""
        while self.due <= cycle:
            now = self.due
            if now == self._start:
                self._start = NEVER
                self._fetch(now, 3)
            else:
                self._run(now)
                self._fetch(now, 4)
            self._schedule()
        self._run(cycle)

    def _run(self, cycle: int) -> None:
        """Clock the timer up to a cycle in which no byte is fetched before its end."""
        period = self._periods[self._period]
        while self._clock <= cycle:
            whole = (cycle - self._clock) // period
            clocks = min(whole + 1, self._bits)
            self._clock += clocks * period
            self._bits -= clocks
            if not self._bits:
                self._bits = _BITS
                self._full = False

    def _fetch(self, cycle: int, cycles: int) -> None:
        """A byte is fetched; the last one asks for an IRQ, or the sample begins again."""
        self._space.steal(cycles, cycle, "DMC DMA")
        self._full = True
        self._left -= 1
        if self._left:
            return
        if self._flags & _LOOP:
            self._left = self._length
        elif self._flags & _IRQ:
            self._line.hold(DMC, cycle + cycles - 1)

    def _schedule(self) -> None:
        """Work out when the next byte is fetched."""
        if not self._left:
            self.due = NEVER
            return
        ends = self._clock + (self._bits - 1) * self._periods[self._period]
        self.due = min(self._start, ends if self._full or self._start == NEVER else NEVER)
