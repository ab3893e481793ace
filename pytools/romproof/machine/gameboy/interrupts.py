"""The registers IF ($FF0F) and IE ($FFFF): which interrupts are requested, which enabled."""

from __future__ import annotations

from enum import IntFlag

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, AddressSpace, Signals

IF, IE = 0xFF0F, 0xFFFF
_UNUSED = 0xE0


class Interrupt(IntFlag):
    """The bits of IF and IE; a lower bit is served first."""

    VBLANK = 1
    STAT = 2
    TIMER = 4
    SERIAL = 8
    JOYPAD = 16


@fields()
class InterruptRegisters(Chip):
    """IF and IE. What happened before an access is in IF when it is read or written."""

    def __init__(self, space: AddressSpace) -> None:
        self._space = space
        self._signals: Signals = space.use_signals()

    def read(self, address: int, cycle: int) -> int:
        """Device. The upper three bits exist in IE only."""
        if address == IE:
            return self._signals.enabled
        self._space.advance(cycle)
        return self._signals.requested | _UNUSED

    def steady_until(self, address: int, value: int, cycle: int, mask: int) -> int:
        """Steady: until a device acts."""
        return NEVER if address == IE else self._signals.horizon

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == IE:
            self._signals.enabled = value
        else:
            self._space.advance(cycle)
            self._signals.requested = value & ~_UNUSED
