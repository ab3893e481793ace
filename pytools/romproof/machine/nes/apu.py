"""The registers of the sound at $4000 to $4017, as far as programs can see what they do.

No sound is made. What can be seen: length counters and the frame counter that clocks them, its
IRQ, and the sample channel's bytes and IRQ (``dmc``). Times are cycles; what happens in a cycle
is there for an access in the same cycle. Sources: nesdev, "APU Frame Counter", "APU Length
Counter"; public tests (apu_test, apu_reset, blargg_apu_2005) decide cycles.
"""

from __future__ import annotations

from functools import cache

from romproof.engine.space import NEVER, AddressSpace
from romproof.machine.nes.dmc import Dmc
from romproof.machine.nes.lines import IrqLine
from romproof.machine.nes.regions import Region

_LENGTHS = bytes((
    10, 254, 20, 2, 40, 4, 80, 6, 160, 8, 60, 10, 14, 12, 26, 14,
    12, 16, 24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30,
))  # fmt: skip
_CHANNELS = 4
_HALT = (0x20, 0x20, 0x80, 0x20)
"""The bit in the first register of each channel that stops its length counter."""
_FIRST_EFFECT = 1
"""The cycle in which the frame counter begins after power-on: as if $4017 was written before."""
_FIVE_STEPS, _NO_IRQ = 0x80, 0x40
_SOURCE = "frame"


class Apu:
    """The registers. ``read`` is $4015, all others cannot be read."""

    def __init__(self, region: Region, space: AddressSpace, line: IrqLine) -> None:
        self._steps = region.sequence
        self._line = line
        self.dmc = Dmc(region, space, line)
        self._lengths = [0] * _CHANNELS
        self._halted = [False] * _CHANNELS
        self._enabled = 0
        self._later: list[tuple[int, int, bool, int, int]] = []
        """What takes effect after the frame counter's clock of a cycle: cycle, channel, whether
        it is halted then, the new length (0: none), the length it had."""
        self._mode = 0
        """What $4017 holds."""
        self._begin = _FIRST_EFFECT
        """The cycle in which the sequence began."""
        self._step = 0
        self._restart = NEVER
        """The cycle in which a write to $4017 takes effect."""
        self._flag = False
        self._at = self._begin + self._steps[0]
        """The cycle of the next step."""

    def read(self, cycle: int) -> int:
        """$4015; the frame counter's IRQ is acknowledged."""
        self._catch_up(cycle)
        value = self._status(cycle)
        self._flag = False
        self._line.release(_SOURCE)
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
                self._line.release(_SOURCE)
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
        self._line.release(_SOURCE)

    def _irq_due(self) -> int:
        """When the frame counter asks for an IRQ, if nothing changes."""
        if self._mode & (_FIVE_STEPS | _NO_IRQ) or self._flag:
            return self._restart
        at = self._at if self._step >= 3 else self._begin + self._steps[3] - 2
        return min(at, self._restart)

    def _status(self, cycle: int) -> int:
        lengths = sum(bool(length) << n for n, length in enumerate(self._lengths))
        return lengths | self.dmc.status(cycle) | self._flag << 6

    def _write_channel(self, channel: int, register: int, value: int, cycle: int) -> None:
        if register == 0:
            halted = bool(value & _HALT[channel])
            self._later.append((cycle + 1, channel, halted, 0, 0))
        elif register == 3 and self._enabled >> channel & 1:
            halted = self._halt_later(channel)
            new = _LENGTHS[value >> 3]
            self._later.append((cycle + 1, channel, halted, new, self._lengths[channel]))

    def _halt_later(self, channel: int) -> bool:
        """Whether a channel is halted when all is in effect that was written."""
        for _, other, halted, _, _ in reversed(self._later):
            if other == channel:
                return halted
        return self._halted[channel]

    def _catch_up(self, cycle: int) -> None:
        """All that happens up to a cycle, in its order."""
        while True:
            later = self._later[0][0] if self._later else NEVER
            now = min(self._at, self._restart, later)
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
        _, channel, halted, new, old = self._later.pop(0)
        if new and self._lengths[channel] == old:
            self._lengths[channel] = new
        self._halted[channel] = halted

    def _begin_again(self) -> None:
        """A write to $4017 takes effect."""
        self._begin, self._restart, self._step = self._restart, NEVER, 0
        self._at = self._begin + self._steps[0]
        if self._mode & _FIVE_STEPS:
            self._count_lengths()

    def _clock(self) -> None:
        """A step of the frame counter."""
        now, five = self._at, bool(self._mode & _FIVE_STEPS)
        steps = _sequence(self._steps, five)
        _, half, irq, ends = steps[self._step]
        if half:
            self._count_lengths()
        if irq:
            self._flag = True
            if not self._mode & _NO_IRQ:
                self._line.hold(_SOURCE, now)
            elif ends:
                self._flag = False
        self._step += 1
        if ends:
            self._begin, self._step = now, 0
        self._at = self._begin + _sequence(self._steps, five)[self._step][0]

    def _count_lengths(self) -> None:
        for channel, halted in enumerate(self._halted):
            if self._lengths[channel] and not halted:
                self._lengths[channel] -= 1


Step = tuple[int, bool, bool, bool]
"""When it comes; whether it clocks length counters, sets the flag of the IRQ, ends the sequence."""


@cache
def _sequence(steps: tuple[int, int, int, int, int], five: bool) -> tuple[Step, ...]:
    """The steps of a sequence; those that only envelopes see are there too."""
    first, second, third, four_end, five_end = steps
    start: tuple[Step, ...] = (
        (first, False, False, False),
        (second, True, False, False),
        (third, False, False, False),
    )
    if five:
        return (*start, (five_end - 1, True, False, False), (five_end, False, False, True))
    return (
        *start,
        (four_end - 2, False, True, False),
        (four_end - 1, True, True, False),
        (four_end, False, True, True),
    )
