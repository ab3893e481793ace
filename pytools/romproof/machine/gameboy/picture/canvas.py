"""What pictures of the Game Boy are drawn on: memory and registers as they are while a frame is
drawn, and how a pixel gets its colour."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER
from romproof.machine.gameboy.model import Console
from romproof.machine.gameboy.picture.log import (
    DOT,
    IMAGE,
    OAM,
    PALETTES,
    PLACE,
    REGISTERS,
    VRAM,
    Frames,
)

WIDTH, HEIGHT = 160, 144
SHOWN_FROM = 8
"""Pixels of a line that leave the queue before the first that is shown: an object's X and WX count
from there."""
END = SHOWN_FROM + WIDTH
MOST = 10
"""Objects in a line; more of them are passed over."""

LCDC, SCY, SCX, BGP, OBP0, OBP1, WY, WX = 0, 2, 3, 7, 8, 9, 10, 11
"""Registers, counted from $FF40."""
WINDOW_MAP, WINDOW, LOW_TILES, MAP, TALL, OBJECTS, BACKGROUND = (
    0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01,
)  # fmt: skip
"""Bits of LCDC."""
FRONT, FLIP_Y, FLIP_X, SECOND, BANK, COLORS = 0x80, 0x40, 0x20, 0x10, 0x08, 0x07
"""Bits of attributes: of objects (behind the background's colours 1 to 3, palette OBP1) and of the
Color's tiles (in front of objects)."""
SECOND_BANK = 0x2000
"""Where the other bank of VRAM is in an image."""
OF_WINDOW = 1 << 32
"""Of ``cells``: the window's."""

_LATE, _LATER = 1, 2
"""Dots that a Color's LCD sees writes later than a DMG's: those to LCDC, SCY, SCX and WX."""


@fields(
    {"cells": WIDTH * HEIGHT, "owners": WIDTH * HEIGHT},
    _memory=IMAGE,
    _found=MOST,
    indices=WIDTH * HEIGHT,
    colors=2 * WIDTH * HEIGHT,
)
class Canvas(Chip):
    """A frame, and what it is drawn from.

    On a DMG an index is a shade, 0 (white) to 3. On a Color it is 4 × palette + colour, 32 more for
    objects, and ``colors`` has the colour's two bytes.
    """

    indices: MutableSequence[int]
    colors: MutableSequence[int]
    cells: MutableSequence[int]
    """For each pixel, if ``explains``: the place in the map, 16 bits, the tile, 8, its attributes,
    8, and whether it is one of the window; -1 for none."""
    owners: MutableSequence[int]
    """The number of the object that is seen there; -1 for none."""
    explains: bool
    hides_objects: bool
    hides_window: bool
    _memory: MutableSequence[int]
    _half: int
    _entry: int
    _due: int
    """The dot in which the next entry takes effect."""
    _is_stale: bool
    """A register changed in the last dot: what is seen a dot late changes now."""
    _lcdc: int
    _scy: int
    _scx: int
    _bgp: int
    _wy: int
    _wx: int
    _last_lcdc: int
    _last_bgp: int
    _last_wx: int
    _line: int
    _is_window_seen: bool
    """LY was WY in this frame, with the window on."""
    _window_line: int
    _found: MutableSequence[int]
    _found_count: int
    _last_low_tile: int
    """The byte that was last read of the tiles at $8000."""
    _object: int
    """Where it is in OAM."""
    _object_tile: int
    _object_attributes: int

    def __init__(self, frames: Frames, kind: Console) -> None:
        self._frames = frames
        self._is_cgb, self._in_color = int(kind.is_cgb), int(kind.in_color)
        self._keeps_scy = int(kind.is_e)

    def _begin_frame(self, half: int) -> None:
        self._half = half
        self._memory[0:IMAGE] = self._frames.images[half * IMAGE : half * IMAGE + IMAGE]
        self._entry = 0
        self._find_due()
        memory = self._memory
        self._lcdc = self._last_lcdc = memory[REGISTERS + LCDC]
        self._bgp = self._last_bgp = memory[REGISTERS + BGP]
        self._wx = self._last_wx = memory[REGISTERS + WX]
        self._wy = memory[REGISTERS + WY]
        self._scx, self._scy = memory[REGISTERS + SCX], memory[REGISTERS + SCY]
        self._is_window_seen = False
        self._window_line = -1

    # what was written

    def _find_due(self) -> None:
        frames, half = self._frames, self._half
        if self._entry < frames.counts[half]:
            entry = frames.entries[2 * self._entry + half]
            self._due = entry >> DOT
            if self._is_cgb:
                self._due += _LATER if self._is_late(entry >> PLACE & 0xFFFF) else _LATE
        else:
            self._due = NEVER

    def _is_late(self, place: int) -> bool:
        register = place - REGISTERS
        return register in (LCDC, SCY, SCX, WX)

    def _apply(self, dot: int) -> None:
        """Do what was written until a dot."""
        while self._due <= dot:
            entry = self._frames.entries[2 * self._entry + self._half]
            self._write(entry >> PLACE & 0xFFFF, entry & 0xFF)
            self._entry += 1
            self._find_due()

    def _write(self, place: int, value: int) -> None:
        self._memory[place] = value
        if place < REGISTERS or place >= PALETTES:
            return
        self._is_stale = True
        register = place - REGISTERS
        if register == LCDC:
            self._lcdc = value
        elif register == SCY:
            self._scy = value
        elif register == SCX:
            self._scx = value
        elif register == BGP:
            self._bgp = value
        elif register == WY:
            self._wy = value
        elif register == WX:
            self._wx = value
        self._look_for_window()

    def _settle(self) -> None:
        self._last_lcdc, self._last_bgp, self._last_wx = self._lcdc, self._bgp, self._wx
        self._is_stale = False

    def _look_for_window(self) -> None:
        if self._lcdc & WINDOW and self._wy == self._line and not self.hides_window:
            self._is_window_seen = True

    # objects of a line

    def _look_at(self, number: int) -> None:
        """An object is looked at: its place in OAM."""
        self._object = number
        self._object_tile = self._memory[OAM + 4 * number + 2]
        self._object_attributes = self._memory[OAM + 4 * number + 3]

    def _read_object(self, high: int) -> int:
        attributes, tile = self._object_attributes, self._object_tile
        lcdc = self._last_lcdc if self._is_cgb else self._lcdc
        rows = 15 if lcdc & TALL else 7
        row = self._line + 16 - self._memory[OAM + 4 * self._object] & rows
        if attributes & FLIP_Y:
            row ^= rows
        if rows == 15:
            tile &= 0xFE
        bank = SECOND_BANK if self._in_color and attributes & BANK else 0
        value = self._memory[VRAM + bank + 16 * tile + 2 * row + high]
        self._last_low_tile = value
        return mirrored(value) if attributes & FLIP_X else value

    # a pixel

    def _mix(
        self, place: int, color: int, tile: int, front: int, attributes: int, owner: int, lcdc: int
    ) -> None:
        """Show a pixel of the background with a tile's attributes, or one of an object in front of
        it, if that is of a colour but 0. A DMG sees BGP together with what it was a dot before."""
        is_behind = attributes & FRONT or (self._in_color and tile & FRONT)
        is_object = front and lcdc & OBJECTS and not self.hides_objects
        if is_object and lcdc & BACKGROUND and color and is_behind:
            is_object = 0
        if self.explains:
            self.owners[place] = owner if is_object else -1
        if not self._is_cgb:
            if is_object:
                palette = self._memory[REGISTERS + (OBP1 if attributes & SECOND else OBP0)]
                self.indices[place] = palette >> 2 * front & 3
            elif lcdc & BACKGROUND:
                self.indices[place] = (self._bgp | self._last_bgp) >> 2 * color & 3
            else:
                self.indices[place] = 0
            return
        if is_object:
            if self._in_color:
                index = 32 + 4 * (attributes & COLORS) + front
            else:
                second = int(bool(attributes & SECOND))
                palette = self._memory[REGISTERS + OBP0 + second]
                index = 32 + 4 * second + (palette >> 2 * front & 3)
        elif self._in_color:
            index = 4 * (tile & COLORS) + color
        else:
            index = self._bgp >> 2 * color & 3 if lcdc & BACKGROUND else 0
        self.indices[place] = index
        self.colors[2 * place] = self._memory[PALETTES + 2 * index]
        self.colors[2 * place + 1] = self._memory[PALETTES + 2 * index + 1] & 0x7F


def mirrored(value: int) -> int:
    """A byte with its bits in the other order."""
    value = (value & 0x55) << 1 | value >> 1 & 0x55
    value = (value & 0x33) << 2 | value >> 2 & 0x33
    return (value & 0x0F) << 4 | value >> 4
