"""The Game Boy Color's palettes: BCPS, BCPD, OCPS and OCPD at $FF68 to $FF6B.

Source: Pan Docs, "LCD Color Palettes".
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.machine.gameboy.lcd import LineCounter
from romproof.machine.gameboy.model import Console

FIRST, LAST = 0xFF68, 0xFF6B
SIZE = 64
"""Bytes of the background's palettes, and of those of sprites: 8 times 4 colours of 2 bytes."""
_OBJECTS = 2
"""The bit of the address that says whose it is; bit 0 says index or data."""
_UNUSED, _INCREMENT, _INDEX = 0x40, 0x80, 0x3F
_WHITE = b"\xff\x7f" * (SIZE // 2)
_BACKGROUND, _SPRITES = (
    b"".join(color.to_bytes(2, "little") for color in colors)
    for colors in ((0x7FFF, 0x1BEF, 0x6180, 0x0000), (0x7FFF, 0x421F, 0x1CF2, 0x0000))
)
"""What the boot ROM chooses for cartridges that do not use colours, if they are not of Nintendo's
or it does not know them (the reference pictures of mealybug-tearoom-tests)."""
_AFTER_BOOT = 0x88, 0x90
"""The indices of both, as the boot ROM leaves them; for a cartridge that does not use colours it
writes the palettes that stand for grey."""


@fields(_index=2, _colors=2 * SIZE)
class Palettes(Chip):
    """Two memories for colours that are not in the address space, each behind an index.

    A write to data moves the index on if that has bit 7, even a write that comes while pixels
    are drawn: then nothing is written, and reads bring $FF. ``colors`` are the bytes of the
    background's palettes and then those of sprites. A cartridge that does not use colours reaches
    only the indices.
    """

    _index: MutableSequence[int]
    _colors: MutableSequence[int]

    def __init__(self, kind: Console, lines: LineCounter, fill: int) -> None:
        self._in_color = int(kind.in_color)
        self._lines = lines
        self._index[:] = [0, 0] if kind.in_color else list(_AFTER_BOOT)
        if kind.in_color:
            self._colors[:] = [*_WHITE, 0, *[fill] * (SIZE - 1)]
        else:
            rest = _WHITE[len(_BACKGROUND) :]
            objects = _SPRITES * 2
            self._colors[:] = [*_BACKGROUND, *rest, *objects, *bytes(SIZE - len(objects))]

    @property
    def colors(self) -> bytes:
        """All of it, see the class."""
        return bytes(self._colors)

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        objects = (address & _OBJECTS) >> 1
        if not address & 1:
            return self._index[objects] | _UNUSED
        if not self._in_color or self._lines.hides_palettes(cycle):
            return 0xFF
        return self._colors[objects * SIZE + (self._index[objects] & _INDEX)]

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        objects = (address & _OBJECTS) >> 1
        if not address & 1:
            self._index[objects] = value & ~_UNUSED
            return
        if not self._in_color:
            return
        index = self._index[objects]
        if not self._lines.hides_palettes(cycle):
            place = objects * SIZE + (index & _INDEX)
            self._colors[place] = value
            self._lines.note_color(place, value, cycle)
        if index & _INCREMENT:
            self._index[objects] = _INCREMENT | index + 1 & _INDEX
