"""Commands for a Super Game Boy, as programs send them over P1. No Super Game Boy is there to obey.

Source: Pan Docs, "Command Packet Transfers".
"""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass

from romproof.engine.chips import Chip, fields, in_python

SIZE = 16
"""Bytes of a packet."""
_START, _REST = 0x00, 0x30
_ONE = 0x10
"""What bits 4 and 5 of P1 are: both low to begin, both high between bits, bit 5 low for a 1."""
_IDLE = -1


@dataclass(frozen=True, slots=True)
class SgbPacket:
    """The 16 bytes of a packet, and the M-cycle in which its stop bit came.

    The first byte of a command is 8 times its number plus the number of its packets.
    """

    cycle: int
    data: bytes


class PacketLog:
    """The packets that were sent."""

    def __init__(self) -> None:
        self.packets: list[SgbPacket] = []


@fields(_data=SIZE)
class PacketReader(Chip):
    """Follows the two lines. A packet begins when both are low; bits follow, lowest first; it is
    complete with a 0 after 128 of them, and given up with a 1 there."""

    _data: MutableSequence[int]
    _count: int
    """The bits that came; _IDLE when no packet has begun."""
    _before: int

    def __init__(self) -> None:
        self._count = _IDLE
        self.log = PacketLog()

    def see(self, lines: int, cycle: int) -> None:
        """Bits 4 and 5 of P1 are written."""
        before = self._before
        self._before = lines
        if lines == _START:
            self._count = 0
        elif self._count >= 0 and lines != _REST and before == _REST:
            self._take_bit(int(lines == _ONE), cycle)

    def _take_bit(self, bit: int, cycle: int) -> None:
        count = self._count
        if count == 8 * SIZE:
            self._count = _IDLE
            if not bit:
                self._note(cycle)
            return
        if not count & 7:
            self._data[count >> 3] = 0
        self._data[count >> 3] = self._data[count >> 3] | bit << (count & 7)
        self._count = count + 1

    @in_python
    def _note(self, cycle: int) -> None:
        self.log.packets.append(SgbPacket(cycle, bytes(self._data)))
