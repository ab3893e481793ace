"""The registers of the sound at $4000 to $4017, as far as programs can see what they do.

No sound is made. What can be seen: length counters and the frame counter that clocks them, its
IRQ, and the sample channel's bytes and IRQ (``dmc``). Times are cycles; what happens in a cycle
is there for an access in the same cycle. Sources: nesdev, "APU Frame Counter", "APU Length
Counter"; public tests (apu_test, apu_reset, blargg_apu_2005) decide cycles.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, AddressSpace
from romproof.machine.nes.dmc import Dmc
from romproof.machine.nes.lines import FRAME, IrqLine
from romproof.machine.nes.regions import Region

LENGTHS = bytes((
    10, 254, 20, 2, 40, 4, 80, 6, 160, 8, 60, 10, 14, 12, 26, 14,
    12, 16, 24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30,
))  # fmt: skip
_CHANNELS = 4
_HALT = (0x20, 0x20, 0x80, 0x20)
"""The bit in the first register of each channel that stops its length counter."""
_FIRST_EFFECT = 1
"""The cycle in which the frame counter begins after power-on: as if $4017 was written before."""
_FIVE_STEPS, _NO_IRQ = 0x80, 0x40


@fields(words={"_lengths": _CHANNELS, "_halted": _CHANNELS})
class Apu(Chip):
    """The registers. ``read`` is $4015, all others cannot be read."""

    _lengths: MutableSequence[int]
    _halted: MutableSequence[int]
    _enabled: int
    _later_at: int
    """The cycle in which, after the frame counter's clock, something takes effect that was
    written in the cycle before; NEVER for nothing."""
    _later_channel: int
    _later_halted: int
    _later_new: int
    _later_old: int
    """Of which channel, whether it is halted then, the new length (0: none), the length it had."""
    _mode: int
    """What $4017 holds."""
    _begin: int
    """The cycle in which the sequence began."""
    _step: int
    _restart: int
    """The cycle in which a write to $4017 takes effect."""
    _flag: bool
    _at: int
    """The cycle of the next step."""

    def __init__(self, region: Region, space: AddressSpace, line: IrqLine) -> None:
        self._steps = region.sequence
        self._line = line
        self.dmc = Dmc(region, space, line)
        self._begin = _FIRST_EFFECT
        self._restart = self._later_at = NEVER
        self._at = self._begin + self._steps[0]

    def read(self, cycle: int) -> int:
        """$4015; the frame counter's IRQ is acknowledged."""
        self._catch_up(cycle)
        value = self._status(cycle)
        self._flag = False
        self._line.release(FRAME)
        return value

    def peek(self, cycle: int) -> int:
        """$4015, and nothing changes by it."""
        self._catch_up(cycle)
        return self._status(cycle)

    def write(self, address: int, value: int, cycle: int) -> None:
        """$4000 to $4013, $4015 and $4017."""
        self._catch_up(cycle)
        if address == 0x4017:
            self._mode = value
            self._restart = cycle + (3 if cycle & 1 else 4)
            if value & _NO_IRQ:
                self._flag = False
                self._line.release(FRAME)
        elif address == 0x4015:
            self._enabled = value & 0x0F
            for channel in range(_CHANNELS):
                if not value >> channel & 1:
                    self._lengths[channel] = 0
            self.dmc.enable(bool(value & 0x10), cycle)
        elif address >= 0x4010:
            self.dmc.write(address & 3, value, cycle)
        else:
            self._write_channel(address >> 2 & 3, address & 3, value, cycle)

    def due(self) -> int:
        """Clocked: when an IRQ may come, or a byte of a sample is fetched."""
        return min(self._irq_due(), self.dmc.due)

    def advance(self, cycle: int) -> None:
        """Clocked."""
        self._catch_up(cycle)

    def reset(self, cycle: int) -> None:
        """The reset line: $4015 is 0, $4017 is written again as it was."""
        self.write(0x4015, 0, cycle)
        mode = self._mode & _FIVE_STEPS
        self._mode, self._restart = mode, cycle + 3
        self._flag = False
        self._line.release(FRAME)

    def _irq_due(self) -> int:
        """When the frame counter asks for an IRQ, if nothing changes."""
        if self._mode & (_FIVE_STEPS | _NO_IRQ) or self._flag:
            return self._restart
        at = self._at if self._step >= 3 else self._begin + self._steps[3] - 2
        return min(at, self._restart)

    def _status(self, cycle: int) -> int:
        lengths = 0
        for channel in range(_CHANNELS):
            lengths |= bool(self._lengths[channel]) << channel
        return lengths | self.dmc.status(cycle) | self._flag << 6

    def _write_channel(self, channel: int, register: int, value: int, cycle: int) -> None:
        if register == 0:
            self._later(cycle, channel, bool(value & _HALT[channel]), 0)
        elif register == 3 and self._enabled >> channel & 1:
            self._later(cycle, channel, self._halted[channel], LENGTHS[value >> 3])

    def _later(self, cycle: int, channel: int, halted: int, new: int) -> None:
        """Nothing is left of an earlier write: that was at least a cycle ago."""
        self._later_at, self._later_channel = cycle + 1, channel
        self._later_halted, self._later_new = halted, new
        self._later_old = self._lengths[channel]

    def _catch_up(self, cycle: int) -> None:
        """All that happens up to a cycle, in its order."""
        while True:
            now = min(self._at, self._restart, self._later_at)
            if now > cycle:
                break
            if self._at == now:
                self._clock()
            elif self._restart == now:
                self._begin_again()
            else:
                self._take_effect()
        self.dmc.catch_up(cycle)

    def _take_effect(self) -> None:
        self._later_at, channel = NEVER, self._later_channel
        if self._later_new and self._lengths[channel] == self._later_old:
            self._lengths[channel] = self._later_new
        self._halted[channel] = self._later_halted

    def _begin_again(self) -> None:
        """A write to $4017 takes effect."""
        self._begin, self._restart, self._step = self._restart, NEVER, 0
        self._at = self._begin + self._steps[0]
        if self._mode & _FIVE_STEPS:
            self._count_lengths()

    def _clock(self) -> None:
        """A step of the frame counter."""
        now, step = self._at, self._step
        five = bool(self._mode & _FIVE_STEPS)
        if step == 1 or (step == 3 if five else step == 4):
            self._count_lengths()
        ends = step == (4 if five else 5)
        if not five and step >= 3:
            self._flag = True
            if not self._mode & _NO_IRQ:
                self._line.hold(FRAME, now)
            elif ends:
                self._flag = False
        self._step = step + 1
        if ends:
            self._begin, self._step = now, 0
        self._at = self._begin + self._time(self._step, five)

    def _time(self, step: int, five: bool) -> int:
        """When a step comes in its sequence: three of the sound; the end of four steps in three
        cycles that ask for an IRQ, or that of five; those only envelopes see are there too."""
        if step < 3:
            return self._steps[step]
        return self._steps[4] - 4 + step if five else self._steps[3] - 5 + step

    def _count_lengths(self) -> None:
        for channel in range(_CHANNELS):
            if self._lengths[channel] and not self._halted[channel]:
                self._lengths[channel] -= 1
