"""The registers of the VIC-II and its raster line, without a picture.

Not here: what takes cycles from the CPU (bad lines, sprites), sprites and their collisions, the
light pen. Source: Christian Bauer, "The MOS 6567/6569 video controller (VIC-II)".
"""

from __future__ import annotations

from romproof.engine.space import NEVER
from romproof.machine.c64.lines import C64Lines
from romproof.machine.c64.region import Region

FIRST = 0xD000
_CONTROL, _RASTER, _LATCH, _MASK = 0x11, 0x12, 0x19, 0x1A
_LIGHT_PEN, _COLLISIONS = (0x13, 0x14), (0x1E, 0x1F)
_HIGH = 0x80
"""The bit of $D011 that is bit 8 of the raster line."""
_BY_RASTER, _SOURCES, _INTERRUPT = 0x01, 0x0F, 0x80

_ONES = {0x16: 0xC0, 0x18: 0x01, 0x19: 0x70, 0x1A: 0xF0, **dict.fromkeys(range(0x20, 0x2F), 0xF0)}
"""Bits that do not exist read as 1 (Bauer, 3.2)."""
_REGISTERS = 0x2F
_AFTER_KERNAL = {0x11: 0x1B, 0x16: 0xC8, 0x18: 0x14, 0x20: 0x0E, 0x21: 0x06}
"""What the KERNAL leaves: text, screen at $0400, light blue around blue (its table at $ECB9)."""
_COMPARED_AFTER_KERNAL = 0x137
_NAME = "vic"


class Vic:
    """Line 0 begins in cycle 0; a line's interrupt comes in its first cycle, line 0's in its
    second (Bauer, 3.12)."""

    def __init__(self, lines: C64Lines, region: Region) -> None:
        self._lines, self._region = lines, region
        self._registers = bytearray(_REGISTERS)
        for register, value in _AFTER_KERNAL.items():
            self._registers[register] = value
        self._compared = _COMPARED_AFTER_KERNAL
        self._flags = 0
        self._at = 0
        self._held = False

    def line(self, cycle: int) -> int:
        """The raster line in a cycle, as the register has it."""
        line, column = divmod(cycle % self._region.frame, self._region.cycles_per_line)
        return line if line or column else self._region.lines - 1

    def read(self, address: int, cycle: int) -> int:
        """Device: no read has an effect here."""
        return self.peek(address, cycle)

    def peek(self, address: int, cycle: int) -> int:
        """What a read gives."""
        self.advance(cycle)
        register = address & 0x3F
        if register >= _REGISTERS:
            return 0xFF
        value = self._registers[register]
        if register == _CONTROL:
            value = value & ~_HIGH | (self.line(cycle) >> 8) * _HIGH
        elif register == _RASTER:
            value = self.line(cycle) & 0xFF
        elif register == _LATCH:
            value = self._flags | (_INTERRUPT if self._held else 0)
        elif register in _LIGHT_PEN or register in _COLLISIONS:
            value = 0
        return value | _ONES.get(register, 0)

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        register = address & 0x3F
        if register >= _REGISTERS:
            return
        if register == _LATCH:
            self._flags &= ~value
        else:
            self._registers[register] = value
        if register == _CONTROL:
            self._compare(self._compared & 0xFF | (value & _HIGH) << 1, cycle)
        elif register == _RASTER:
            self._compare(self._compared & 0x100 | value, cycle)
        self._update(cycle + 1)

    def request(self, cycle: int) -> None:
        """Let the compared line have been reached in a cycle."""
        self.advance(cycle)
        self._flags |= _BY_RASTER
        self._update(cycle + 1)

    def due(self) -> int:
        """Clocked: when the line IRQ falls."""
        if self._held or self._flags & _BY_RASTER or not self._registers[_MASK] & _BY_RASTER:
            return NEVER
        return self._next(self._at)

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if self._at >= cycle:
            return
        reached = self._next(self._at)
        self._at = cycle
        if reached <= cycle:
            self._flags |= _BY_RASTER
            self._update(reached)

    def beam(self, cycle: int) -> tuple[int, int]:
        """The line in which a cycle is, and its first dot in it."""
        line, column = divmod(cycle % self._region.frame, self._region.cycles_per_line)
        return line, 8 * column

    def frame_end(self, cycle: int) -> int:
        """The cycle after ``cycle`` in which the vertical blank begins."""
        region = self._region
        return _next(region.vblank * region.cycles_per_line, cycle, region.frame)

    def _next(self, cycle: int) -> int:
        """The cycle after ``cycle`` in which the compared line begins; NEVER if there is none."""
        region = self._region
        if self._compared >= region.lines:
            return NEVER
        return _next(self._compared * region.cycles_per_line or 1, cycle, region.frame)

    def _compare(self, line: int, cycle: int) -> None:
        """Compare with another line: it may be the one in which the beam is."""
        current = self.line(cycle)
        if line == current != self._compared:
            self._flags |= _BY_RASTER
        self._compared = line

    def _update(self, cycle: int) -> None:
        """Hold IRQ from a cycle on, or let go of it."""
        wanted = bool(self._flags & self._registers[_MASK] & _SOURCES)
        if wanted and not self._held:
            self._lines.hold_irq(_NAME, cycle)
        elif self._held and not wanted:
            self._lines.release_irq(_NAME)
        self._held = wanted


def _next(place: int, after: int, frame: int) -> int:
    """The first cycle after another that is at a place of a frame."""
    return after + 1 + (place - after - 1) % frame
