"""What a saved state has of the picture: what waits to be drawn, and what was drawn already.

Most of the log and of the pixels is empty or old, so that only what is in use is kept.
"""

from __future__ import annotations

import struct
import zlib

from romproof.machine.nes.picture.log import BLOCKS, CAPACITY
from romproof.machine.nes.picture.picture import PpuPicture

_NUMBERS = ("first", "count", "mark", "begin", "first_block", "block", "mark_block", "number")
_BLOCK = 0x100


class PackedPicture:
    """A device with one attribute, which is up to date after ``pack``."""

    __slots__ = ("_picture", "packed")

    def __init__(self, picture: PpuPicture) -> None:
        self._picture = picture
        self.packed = b""

    def pack(self) -> None:
        """Take out of the picture what ``unpack`` puts back."""
        log, beam = self._picture.log, self._picture.beam
        numbers = [getattr(log, name) for name in _NUMBERS] + list(log.registers)
        for number in range(log.first, log.count):
            at = number % CAPACITY
            numbers += (log.when[at], log.what[at])
        data = struct.pack(f"<i{len(numbers)}q", len(numbers), *numbers)
        for number in range(log.first_block, log.block):
            at = number % BLOCKS * _BLOCK
            data += bytes(log.blocks[at : at + _BLOCK])
        drawn = b"".join((beam.pixels, beam.under, beam.origins)) if beam.has_drawn else b""
        self.packed = zlib.compress(data + drawn, 1)

    def unpack(self) -> None:
        """Put it back."""
        log, beam = self._picture.log, self._picture.beam
        data = zlib.decompress(self.packed)
        (count,) = struct.unpack_from("<i", data)
        numbers = struct.unpack_from(f"<{count}q", data, 4)
        rest = data[4 + 8 * count :]
        for name, value in zip(_NUMBERS, numbers, strict=False):
            setattr(log, name, value)
        numbers = numbers[len(_NUMBERS) :]
        log.registers[:] = numbers[: len(log.registers)]
        entries = numbers[len(log.registers) :]
        for number in range(log.first, log.count):
            at, entry = number % CAPACITY, 2 * (number - log.first)
            log.when[at], log.what[at] = entries[entry], entries[entry + 1]
        for number in range(log.first_block, log.block):
            at = number % BLOCKS * _BLOCK
            log.blocks[at : at + _BLOCK] = list(rest[:_BLOCK])
            rest = rest[_BLOCK:]
        if beam.has_drawn:
            size = len(beam.pixels)
            for place, part in enumerate((beam.pixels, beam.under, beam.origins)):
                part[:] = rest[place * size : (place + 1) * size]
