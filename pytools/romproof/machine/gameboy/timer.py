"""The timers: DIV, which counts by itself, and TIMA, which counts what falls out of DIV.

There is one counter that is never stopped; DIV is its upper byte. TIMA counts the moments at
which one of its bits, gated by TAC, falls from 1 to 0, whatever the reason: going on, a write
to DIV (which clears the counter) or a write to TAC. Source: Pan Docs, "Timer obscure
behaviour"; what is stated here was measured on Game Boys by the tests of mooneye-test-suite.
"""

from __future__ import annotations

from typing import Protocol

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, Signals
from romproof.machine.gameboy.interrupts import Interrupt

DIV, TIMA, TMA, TAC = 0xFF04, 0xFF05, 0xFF06, 0xFF07
_DIV_BIT = 6
"""The lowest bit of DIV in the counter of M-cycles: DIV counts every 64."""
_TIMER_BITS = (7, 1, 3, 5)
"""By the lower two bits of TAC: the bit of the counter whose fall TIMA counts. It falls every
256, 4, 16 and 64 M-cycles."""
_LATE, _LATE_IN_E = (0,), (0, 2, 3)
"""In TAC, the timers that see their bit rise an M-cycle later when a Color switches its speed, in
revisions B and C and in E (age-test-roms, ``spsw-tima``)."""
_ENABLE = 4
_TAC_UNUSED = 0xF8


class OnReset(Protocol):
    """Something that goes by the counter, and has to look when it is cleared."""

    def divider_resets(self, cycle: int) -> None:
        """The counter becomes 0 at ``cycle``; it still shows what it was."""


@fields()
class Divider(Chip):
    """The counter of M-cycles; ``count`` is its value at cycle 0."""

    _zero_at: int
    is_switching: bool
    """Whether it is cleared because the speed of a Color is switched."""

    def __init__(self, count: int) -> None:
        self._zero_at = -count
        self.listeners: list[OnReset] = []

    def bit(self, number: int, cycle: int) -> bool:
        """A bit of the counter at a cycle."""
        return bool(cycle - self._zero_at >> number & 1)

    def falls(self, number: int, after: int, until: int) -> int:
        """How often a bit fell from 1 to 0, after one cycle and up to another."""
        period = number + 1
        return (until - self._zero_at >> period) - (after - self._zero_at >> period)

    def fall(self, number: int, after: int, nth: int) -> int:
        """The cycle at which a bit falls for the nth time after another cycle."""
        period = number + 1
        return ((after - self._zero_at >> period) + nth << period) + self._zero_at

    def reset(self, cycle: int) -> None:
        """Clear the counter."""
        for listener in self.listeners:
            listener.divider_resets(cycle)
        self._zero_at = cycle

    def reset_to_switch(self, cycle: int) -> None:
        """Clear the counter when the speed of a Color is switched."""
        self.is_switching = True
        self.reset(cycle)
        self.is_switching = False

    def read(self, address: int, cycle: int) -> int:
        """Device: DIV."""
        return cycle - self._zero_at >> _DIV_BIT & 0xFF

    def steady_until(self, address: int, value: int, cycle: int, mask: int) -> int:
        """Steady: until DIV counts."""
        return self.fall(_DIV_BIT - 1, cycle, 1)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: any value clears the counter."""
        self.reset(cycle)


@fields()
class Timer(Chip):
    """TIMA, TMA and TAC.

    When TIMA overflows it is 0 for one M-cycle; then it is loaded from TMA and the interrupt
    is requested. A write to TIMA in the first of the two cycles prevents that; in the second
    it is ignored, while a write to TMA goes through to TIMA.
    """

    _tima: int
    _tma: int
    _tac: int
    _at: int
    """The cycle up to which ``_tima`` has counted."""
    _reload_at: int
    """The cycle at which TIMA is loaded, after an overflow."""
    _reloaded_at: int

    def __init__(self, divider: Divider, signals: Signals, is_e: bool = False) -> None:
        self._divider = divider
        self._late = _LATE_IN_E if is_e else _LATE
        self._signals = signals
        self._reload_at = NEVER
        self._reloaded_at = -1
        divider.listeners.append(self)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        self.advance(cycle)
        if address == TAC:
            return self._tac | _TAC_UNUSED
        return self._tma if address == TMA else self._tima

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        if address == TAC:
            before = self._signal(cycle)
            self._tac = value & ~_TAC_UNUSED
            if before and not self._signal(cycle):
                self._increment(cycle)
        elif address == TMA:
            self._tma = value
            if self._reloaded_at == cycle:
                self._tima = value
        elif self._reloaded_at != cycle:
            self._tima = value
            self._reload_at = NEVER

    def divider_resets(self, cycle: int) -> None:
        """See OnReset."""
        self.advance(cycle)
        is_high = self._signal(cycle)
        if self._divider.is_switching and self._tac & 3 in self._late:
            is_high = is_high and self._signal(cycle - 1)
        if is_high:
            self._increment(cycle)

    def due(self) -> int:
        """Clocked: when the interrupt is to be requested."""
        if self._reload_at != NEVER:
            return self._reload_at
        overflow = self._overflow()
        return overflow if overflow == NEVER else overflow + 1

    def advance(self, cycle: int) -> None:
        """Clocked: count up to ``cycle``."""
        while True:
            if self._reload_at <= cycle:
                self._tima = self._tma
                self._at = self._reloaded_at = self._reload_at
                self._reload_at = NEVER
                self._signals.request(Interrupt.TIMER, self._at, late=True)
                continue
            overflow = self._overflow()
            if overflow > cycle:
                break
            self._at = overflow
            self._tima = 0
            self._reload_at = overflow + 1
        if self._tac & _ENABLE:
            self._tima += self._divider.falls(self._bit, self._at, cycle)
        self._at = cycle

    @property
    def _bit(self) -> int:
        return _TIMER_BITS[self._tac & 3]

    def _signal(self, cycle: int) -> bool:
        """What TIMA counts the falls of."""
        return bool(self._tac & _ENABLE) and self._divider.bit(self._bit, cycle)

    def _overflow(self) -> int:
        """The cycle at which TIMA overflows; NEVER while it does not count."""
        if not self._tac & _ENABLE:
            return NEVER
        return self._divider.fall(self._bit, self._at, 0x100 - self._tima)

    def _increment(self, cycle: int) -> None:
        """A fall that is due to a write."""
        self._tima += 1
        if self._tima > 0xFF:
            self._tima = 0
            self._reload_at = cycle + 1
