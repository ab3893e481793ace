"""What a program wrote to the LCD's registers and memory while a frame was drawn, and when.

Nothing is drawn while the program runs. Two frames are remembered, the last complete one and the
one that is being drawn: each by an image of memory before its first line, and by the writes since.
Between two frames, in VBlank and while the LCD is off, a write goes to the image of the frame that
comes.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

from romproof.engine.chips import Chip, fields
from romproof.machine.gameboy import line as at
from romproof.machine.gameboy.memory import VRAM as VRAM_ADDRESS
from romproof.machine.gameboy.memory import GameBoyMemory

VRAM, OAM, REGISTERS, PALETTES = 0x0000, 0x4000, 0x40A0, 0x40B0
"""Where the parts are in an image of what pictures are drawn from: two banks of VRAM, OAM, the
registers $FF40 to $FF4B, the Color's palettes."""
IMAGE = PALETTES + 0x80
"""Bytes of an image."""
CAPACITY = 17_000
"""Writes that are remembered of a frame: a program at double speed can make 16,416."""
DRAWN = at.VISIBLE * at.LINE
"""Dots from the begin of a frame's first line to VBlank."""

DOT, PLACE = 24, 8
"""Where the dot and the place are in an entry, in bits; the byte is below them."""


@fields({"counts": 2, "begins": 2, "entries": 2 * CAPACITY}, images=2 * IMAGE)
class Frames(Chip):
    """Two halves, of which ``half`` is that of the frame that is being drawn, or comes next.

    An entry is a write: the dot in which it takes effect, since the machine began, where it went in
    the image, and the byte. Those of both halves take turns, so that what is used lies at the
    start.
    """

    entries: MutableSequence[int]
    counts: MutableSequence[int]
    begins: MutableSequence[int]
    """The dot in which line 0 of each of the frames begins."""
    images: MutableSequence[int]
    half: int
    is_on: bool
    is_shown: bool
    """Whether the complete frame is shown: none is while the LCD is off."""
    is_full: bool
    """Whether writes were lost of the frame that is being drawn."""
    was_full: bool
    """The same of the complete one."""

    def saved_size(self) -> int:
        """See Chip."""
        described: Any = Frames.entries
        return int(described.offset) + 16 * max(self.counts)


@fields({"_versions": 2})
class FrameLog(Chip):
    """Notes the writes of a program in ``frames``."""

    _changes: int
    """Counts writes to VRAM."""
    _versions: MutableSequence[int]
    """Which of them are in each of the images."""
    _is_first: bool
    """The LCD was switched on with the frame that is being drawn: that one is not shown."""

    def __init__(self, memory: GameBoyMemory, registers: bytes, palettes: bytes, dot: int) -> None:
        """``dot`` is that of the frame in which the machine begins, with the LCD on."""
        self.frames = Frames()
        self._memory = memory
        self._store = memory.space.store
        self._vram, self._vram_size = memory.vram_at, memory.vram_size
        self._oam = memory.oam_at
        for base in (0, IMAGE):
            self._fill(base)
            self.frames.images[base + REGISTERS : base + REGISTERS + len(registers)] = list(
                registers
            )
            self.frames.images[base + PALETTES : base + PALETTES + len(palettes)] = list(palettes)
        self.frames.is_on = self.frames.is_shown = True
        begin = -dot if dot < DRAWN else at.FRAME - dot
        self.frames.begins[:] = [begin, begin - at.FRAME]

    def note(self, place: int, value: int, dot: int) -> None:
        """A byte is written that is seen from a dot on."""
        if self.frames.is_on:
            self.catch_up(dot)
            half = self.frames.half
            if dot >= self.frames.begins[half]:
                count = self.frames.counts[half]
                if count < CAPACITY:
                    self.frames.entries[2 * count + half] = dot << DOT | place << PLACE | value
                    self.frames.counts[half] = count + 1
                else:
                    self.frames.is_full = True
                return
        self.frames.images[self.frames.half * IMAGE + place] = value

    def note_vram(self, address: int, value: int, dot: int) -> None:
        """The same for an address in the bank of VRAM that is in sight."""
        bank = self._memory.vram_in_sight() - self._vram
        self._changes += 1
        self.note(VRAM + bank + address - VRAM_ADDRESS, value, dot)

    def note_oam(self, dot: int) -> None:
        """All of OAM was copied."""
        self.catch_up(dot)
        frames = self.frames
        if not frames.is_on or dot < frames.begins[frames.half]:
            base = frames.half * IMAGE + OAM
            oam = self._oam
            frames.images[base : base + at.OAM_SIZE] = self._store[oam : oam + at.OAM_SIZE]
            return
        for place in range(at.OAM_SIZE):
            self.note(OAM + place, self._store[self._oam + place], dot)

    def catch_up(self, dot: int) -> None:
        """If the frame that was being drawn is complete in a dot, begin the next one."""
        if self.frames.is_on and dot >= self.frames.begins[self.frames.half] + DRAWN:
            self._roll(dot)

    def refresh(self) -> None:
        """VRAM may have been written in VBlank, or while the LCD was off, without a note."""
        base = self.frames.half * IMAGE + VRAM
        self._changes += 1
        self._versions[self.frames.half] = self._changes
        self.frames.images[base : base + self._vram_size] = self._store[
            self._vram : self._vram + self._vram_size
        ]

    def switch(self, on: bool, begin: int) -> None:
        """The LCD is switched on or off; line 0 begins, or began, in a dot."""
        if not on:
            self._apply(self.frames.half)
        self.frames.is_on, self.frames.is_shown, self._is_first = on, False, True
        self.frames.counts[self.frames.half] = 0
        self.frames.begins[self.frames.half] = begin
        self.refresh()

    def _roll(self, dot: int) -> None:
        """The frame that was being drawn is complete: the dot is behind its last line."""
        old = self.frames.half
        new = 1 - old
        count = (dot - self.frames.begins[old] - DRAWN) // at.FRAME + 1
        into, out = new * IMAGE, old * IMAGE
        self._copy_image(into, out, new)
        self.frames.counts[new] = 0
        self._apply_to(new, old)
        self.frames.begins[new] = self.frames.begins[old] + count * at.FRAME
        self.frames.was_full, self.frames.is_full = self.frames.is_full, False
        self.frames.is_shown = not self._is_first
        if count > 1:  # nothing was written in the last of them
            self._copy_image(out, into, old)
            self.frames.counts[old] = 0
            self.frames.begins[old] = self.frames.begins[new] - at.FRAME
            self.frames.is_shown = True
            self.frames.was_full = False
        self._is_first = False
        self.frames.half = new

    def _copy_image(self, into: int, out: int, half: int) -> None:
        """Make an image, that of a half, equal to another: VRAM is in most frames."""
        begin = 0 if self._versions[half] != self._changes else OAM
        images = self.frames.images
        images[into + begin : into + IMAGE] = images[out + begin : out + IMAGE]
        self._versions[half] = self._changes

    def _apply(self, half: int) -> None:
        self._apply_to(half, half)
        self.frames.counts[half] = 0

    def _apply_to(self, into: int, half: int) -> None:
        """Write the entries of a half to an image."""
        base = into * IMAGE
        for number in range(self.frames.counts[half]):
            entry = self.frames.entries[2 * number + half]
            self.frames.images[base + (entry >> PLACE & 0xFFFF)] = entry & 0xFF

    def _fill(self, base: int) -> None:
        """Fill an image with what memory holds, in Python."""
        vram, oam = base + VRAM, base + OAM
        store = self._store
        self.frames.images[vram : vram + self._vram_size] = list(
            store[self._vram : self._vram + self._vram_size]
        )
        self.frames.images[oam : oam + at.OAM_SIZE] = list(
            store[self._oam : self._oam + at.OAM_SIZE]
        )
