"""KEY1 at $FF4D: the Game Boy Color's CPU at its normal speed or at twice that.

The LCD, VRAM DMA and the clock in a cartridge do not care; timers, serial port and OAM DMA go with
the CPU. Source: Pan Docs, "CGB Registers".
"""

from __future__ import annotations

from romproof.engine.chips import Chip, fields

KEY1 = 0xFF4D
PAUSE = 0x20004 // 4
"""M-cycles for which the CPU rests after a switch, at its new speed (age-test-roms, ``spsw-tima``
and ``spsw-div``)."""
_NORMAL, _DOUBLE = 2, 1
_UNUSED, _IS_DOUBLE, _ARMED = 0x7E, 0x80, 0x01


@fields()
class Speed(Chip):
    """How many dots of the LCD an M-cycle takes: 4, or 2 at double speed.

    ``shift`` and ``offset`` say which dot an M-cycle begins with: see ``dot``.
    """

    shift: int
    offset: int
    awake_at: int
    """The cycle until which the CPU rests after a switch."""
    _is_armed: bool

    def __init__(self) -> None:
        self.shift = _NORMAL

    def dot(self, cycle: int) -> int:
        """The first dot of an M-cycle, in dots since the machine began."""
        return (cycle << self.shift) + self.offset

    @property
    def is_double(self) -> bool:
        """Whether the CPU is at double speed."""
        return self.shift == _DOUBLE

    @property
    def is_armed(self) -> bool:
        """Whether ``stop`` is to switch."""
        return self._is_armed

    def switch(self, cycle: int) -> None:
        """Have the other speed from ``cycle`` on."""
        begin = self.dot(cycle)
        if self.shift == _DOUBLE:
            begin -= 1  # the LCD stands still for a moment (SameBoy, ``speed_switch_freeze``)
            self.shift = _NORMAL
        else:
            self.shift = _DOUBLE
        self.offset = begin - (cycle << self.shift)
        self._is_armed = False

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        value = _UNUSED
        if self.shift == _DOUBLE:
            value |= _IS_DOUBLE
        return value | _ARMED if self._is_armed else value

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self._is_armed = bool(value & _ARMED)
