"""The sound registers $FF10 to $FF3F: they keep what is written, and nothing sounds."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields

FIRST, LAST = 0xFF10, 0xFF3F
_NR52 = 0xFF26
_WAVE = 0xFF30
_ON = 0x80

_ONES = bytes.fromhex(
    "80 3F 00 FF BF  FF 3F 00 FF BF  7F FF 9F FF BF  FF FF 00 00 BF  00 00 70"
    "FF FF FF FF FF FF FF FF FF"
)
"""For $FF10 to $FF2F: the bits that read as 1 whatever was written (Pan Docs, "Audio
Registers")."""
_AFTER_BOOT = bytes.fromhex(
    "80 BF F3 FF BF  FF 3F 00 FF BF  7F FF 9F FF BF  FF FF 00 00 BF  77 F3 F1"
    "FF FF FF FF FF FF FF FF FF"
)
"""What they read as when the boot ROM hands over; channel 1 is still on."""


@fields(_values=LAST - FIRST + 1)
class Sound(Chip):
    """The registers. A channel that is started is over at once: NR52 says that it is off, but
    for channel 1, which the boot ROM leaves on until the sound is switched.

    While the sound is off (NR52 bit 7 clear) the registers are 0 and keep nothing; the wave
    memory does not care. ``wave`` is what that holds at the start, ``fill`` (0..255) if it is
    empty.
    """

    _values: MutableSequence[int]

    def __init__(self, fill: int, wave: bytes = b"") -> None:
        self._values[:] = [*_AFTER_BOOT, *(wave or [fill] * (LAST + 1 - _WAVE))]

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        value = self._values[address - FIRST]
        return value if address >= _WAVE else value | _ONES[address - FIRST]

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        if address == _NR52:
            self._values[address - FIRST] = value & _ON
            if not value & _ON:
                for place in range(_NR52 - FIRST):
                    self._values[place] = 0
        elif address >= _WAVE or self._values[_NR52 - FIRST] & _ON:
            self._values[address - FIRST] = value
