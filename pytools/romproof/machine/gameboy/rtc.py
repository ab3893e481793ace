"""The clock in MBC3 cartridges. It goes by the machine's time, so that runs can be repeated."""

from __future__ import annotations

from romproof.machine.gameboy.speed import Speed

SECOND = 1 << 20
"""M-cycles in a second, at the normal speed."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_DAYS = 512
_SECONDS, _MINUTES, _HOURS, _DAY_LOW, _CONTROL = range(8, 13)
_HALT, _CARRY = 0x40, 0x80


class RealTimeClock:
    """Days, hours, minutes and seconds, seen as they were when last latched.

    Registers are 8 seconds, 9 minutes, 10 hours, 11 days (low byte) and 12: bit 0 is bit 8 of
    the days, bit 6 stops the clock, bit 7 says that the days overflowed. Values that no clock
    shows (61 seconds) are taken as the time they mean, not stored as they are on the chip.
    """

    def __init__(self, speed: Speed) -> None:
        self._speed = speed
        self._at = 0
        """The M-cycle of the normal speed at which ``_seconds`` had passed."""
        self._seconds = 0
        self._halted = False
        self._overflowed = False
        self._latched = dict.fromkeys(range(_SECONDS, _CONTROL + 1), 0)

    def latch(self, cycle: int) -> None:
        """Keep the time of now to be read."""
        self._latched = self._registers(cycle)

    def register(self, register: int) -> int:
        """A register as it was latched; $FF when there is none of that number."""
        return self._latched.get(register, 0xFF)

    def write(self, register: int, value: int, cycle: int) -> None:
        """Set a part of the running time; the seconds begin anew with it."""
        now = self._registers(cycle)
        if register not in now:
            return
        now[register] = value
        if register == _SECONDS or self._halted:
            self._at = self._passed(cycle)
        self._halted = bool(now[_CONTROL] & _HALT)
        self._overflowed = bool(now[_CONTROL] & _CARRY)
        days = (now[_CONTROL] & 1) << 8 | now[_DAY_LOW]
        clock = (now[_HOURS] & 31) * _HOUR + (now[_MINUTES] & 63) * _MINUTE + (now[_SECONDS] & 63)
        self._seconds = days * _DAY + clock

    def _passed(self, cycle: int) -> int:
        """M-cycles of the normal speed since the machine began."""
        return self._speed.dot(cycle) >> 2

    def _registers(self, cycle: int) -> dict[int, int]:
        if not self._halted:
            passed = (self._passed(cycle) - self._at) // SECOND
            self._at += passed * SECOND
            self._seconds += passed
            self._overflowed |= self._seconds >= _DAYS * _DAY
            self._seconds %= _DAYS * _DAY
        days, clock = divmod(self._seconds, _DAY)
        control = days >> 8 | _HALT * self._halted | _CARRY * self._overflowed
        return {
            _SECONDS: clock % 60,
            _MINUTES: clock // _MINUTE % 60,
            _HOURS: clock // _HOUR,
            _DAY_LOW: days & 0xFF,
            _CONTROL: control,
        }
