"""The sprites of a line: how the PPU finds them in OAM, with the faults it has there.

Source: nesdev, "PPU sprite evaluation" and "Sprite overflow games"; AccuracyCoin for addresses that
are not those of a sprite.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields

FOUND = 0x20
"""Bytes of the memory for a line's sprites: eight of four bytes."""


@fields(oam=0x100, found=FOUND)
class Evaluation(Chip):
    """OAM, and the PPU's second memory of sprites, ``found``, with an address in each."""

    oam: MutableSequence[int]
    found: MutableSequence[int]
    address: int
    """Where in OAM it reads: the register $2003."""
    place: int
    """Where in ``found`` it writes, and how far it has come."""
    copied: int
    """The byte that is on its way from one to the other."""
    overflow: bool
    zero: bool
    """Whether the first sprite it looked at is in the line."""
    _is_in_range: bool
    _is_over: bool
    """Whether the sprite it looks at is in the line; whether it has seen all."""
    _to_come: int
    """Bytes of a ninth sprite that are still read."""

    def skip(self) -> None:
        """A frame was left out: nothing was found last."""
        for place in range(FOUND):
            self.found[place] = 0xFF
        self.place = self._to_come = 0
        self.zero = self._is_in_range = self._is_over = False

    def corrupt(self, source: int, into: int) -> None:
        """A row of eight bytes, and a byte of what was found, is copied over another: the address
        changes while the memory is being refreshed."""
        if source == into:
            return
        for offset in range(8):
            self.oam[into << 3 | offset] = self.oam[source << 3 | offset]
        self.found[into] = self.found[source]

    def step(self, column: int, line: int, height: int) -> None:
        """A dot (1 to 256) of a line that is drawn, of sprites of a height."""
        if column <= 64:
            self.copied = 0xFF
            self.found[self.place & 0x1F] = 0xFF
            if not column & 1:
                self.place += 1
            return
        if column & 1:
            if column == 65:
                self.restart()
            self.copied = self.oam[self.address]
            return
        self.look(column == 66, line, height)

    def restart(self) -> None:
        """The first dot in which it reads: at whatever address there is."""
        self.zero = self._is_in_range = self._is_over = False
        self.place = self._to_come = 0

    def look(self, is_first: bool, line: int, height: int) -> None:
        """The second dot of two: what was read is written, or not."""
        sprite, byte = self.address >> 2, self.address & 3
        is_near = line >= self.copied and line < self.copied + height
        if self._is_over:
            sprite = sprite + 1 & 0x3F
            self.copied = self.found[self.place & 0x1F]
        else:
            if is_near:
                self._is_in_range = True
            if self.place < FOUND:
                self.found[self.place] = self.copied
                if not self._is_in_range:
                    sprite, byte = sprite + 1 & 0x3F, 0
                    self._is_over = sprite == 0
                else:
                    if is_first:
                        self.zero = True
                    self.place += 1
                    byte += 1
                    if byte == 4:
                        sprite, byte = sprite + 1 & 0x3F, 0
                        self._is_over = sprite == 0
                    if not self.place & 3:
                        self._is_in_range = False
                        if byte and not is_near:
                            byte = 0
            else:
                self.copied = self.found[self.place & 0x1F]
                if self._is_in_range:
                    self.overflow = True
                    byte += 1
                    if byte == 4:
                        sprite, byte = sprite + 1 & 0x3F, 0
                    if not self._to_come:
                        self._to_come = 3
                    else:
                        self._to_come -= 1
                        if not self._to_come:
                            self._is_over, byte = True, 0
                else:  # the fault: it goes on by a sprite and a byte
                    sprite, byte = sprite + 1 & 0x3F, byte + 1 & 3
                    self._is_over = sprite == 0
        self.address = sprite << 2 | byte
