"""The serial port: SB and SC. Nothing is connected; what a program sends is collected."""

from __future__ import annotations

from romproof.engine.chips import Chip, fields, in_python
from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.timer import Divider

SB, SC = 0xFF01, 0xFF02
_START, _FAST, _OWN_CLOCK = 0x80, 0x02, 0x01
_UNUSED = 0x7E
_UNUSED_IN_COLOR = 0x7C
_BITS = 8
_CLOCK_BIT = 5
"""The bit of the counter of M-cycles whose falling edges toggle the serial clock: 8192 bits a
second."""
_FAST_CLOCK_BIT = 0
"""The same for the Color's fast clock: 262144 bits a second."""


class Cable:
    """What a transfer sends goes into it, and nobody is at the other end."""

    def __init__(self) -> None:
        self.sent = bytearray()


@fields()
class SerialPort(Chip):
    """A transfer with the own clock takes 8 bits; as nothing answers, 1s come in.

    With an external clock (SC bit 0 clear) it never ends. ``cable.sent`` has the bytes of all
    transfers that were started. The clock toggles when bit 5 of the counter behind DIV falls, or,
    with the Color's fast clock, bit 0; a bit is done when it goes low. A write to SC sets it low.
    """

    _data: int
    _control: int
    _clock: int
    _at: int
    """The cycle up to which clock and data have moved."""
    _left: int
    """How many bits are still to be sent."""

    def __init__(self, divider: Divider, signals: Signals, in_color: bool = False) -> None:
        self._divider = divider
        self._unused = _UNUSED_IN_COLOR if in_color else _UNUSED
        self._signals = signals
        self.cable = Cable()
        divider.listeners.append(self)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        self.advance(cycle)
        return self._data if address == SB else self._control | self._unused

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        if address == SB:
            self._data = value
            return
        if self._clock:
            self._turn(1, cycle)
        self._control = value & ~self._unused
        self._left = 0
        if self._is_sending:
            self._left = _BITS
            self._send(self._data)

    def divider_resets(self, cycle: int) -> None:
        """See OnReset."""
        self.advance(cycle)
        if self._divider.bit(self._clock_bit, cycle):
            self._turn(1, cycle)

    def due(self) -> int:
        """Clocked: when the interrupt is to be requested."""
        if not self._left:
            return NEVER
        return self._divider.fall(self._clock_bit, self._at, 2 * self._left - self._clock)

    def advance(self, cycle: int) -> None:
        """Clocked."""
        self._turn(self._divider.falls(self._clock_bit, self._at, cycle), cycle)
        self._at = cycle

    @in_python
    def _send(self, byte: int) -> None:
        self.cable.sent.append(byte)

    @property
    def _is_sending(self) -> bool:
        return self._control & (_START | _OWN_CLOCK) == _START | _OWN_CLOCK

    @property
    def _clock_bit(self) -> int:
        return _FAST_CLOCK_BIT if self._control & _FAST else _CLOCK_BIT

    def _turn(self, times: int, cycle: int) -> None:
        """Turn the clock over up to a cycle, and shift a bit whenever it goes low."""
        went_low, self._clock = divmod(self._clock + times, 2)
        if not self._left:
            return
        done = min(went_low, self._left)
        self._left -= done
        self._data = (self._data << done | (1 << done) - 1) & 0xFF
        if not self._left:
            self._control &= ~_START
            self._signals.request(Interrupt.SERIAL, cycle, late=True)
