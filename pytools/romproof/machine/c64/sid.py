"""The registers of the SID, which makes no sound here."""

from __future__ import annotations

SIZE = 0x20
_WRITTEN = 0x19
_PADDLES = (0x19, 0x1A)
OSCILLATOR = 0x1B


class Sid:
    """What is written is kept in ``registers``; the chip cannot be asked for it.

    Reads: the paddles are not there ($FF); $1B, the third oscillator, gives noise, a number that
    depends on the cycle alone; everything else is 0.
    """

    def __init__(self) -> None:
        self.registers = bytearray(_WRITTEN)

    def read(self, address: int, cycle: int) -> int:
        """Device: no read has an effect here."""
        return self.peek(address, cycle)

    def peek(self, address: int, cycle: int) -> int:
        """What a read gives."""
        register = address % SIZE
        if register in _PADDLES:
            return 0xFF
        return noise(cycle) if register == OSCILLATOR else 0

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        register = address % SIZE
        if register < _WRITTEN:
            self.registers[register] = value


def noise(cycle: int) -> int:
    """A byte for each cycle, mixed by the multiplier of Fibonacci hashing (Knuth, volume 3,
    6.4); not the sequence of the chip."""
    return (cycle * 0x9E3779B1 & 0xFFFFFFFF) >> 24
