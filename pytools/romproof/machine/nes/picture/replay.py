"""What a program did, done again: registers and memory as the beam has them, behind the CPU."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.machine.nes.picture import log as kinds
from romproof.machine.nes.picture.evaluation import Evaluation
from romproof.machine.nes.picture.log import KIND, PLACE, VALUE, PictureLog
from romproof.machine.nes.picture.units import SpriteUnits
from romproof.machine.nes.regions import DOTS, Region
from romproof.machine.nes.scroll import HEIGHT
from romproof.machine.nes.video_memory import AT_PALETTE, AT_VRAM, PALETTE, colour

WIDTH = 256
SIZE = WIDTH * HEIGHT
"""Pixels of a picture."""
LAST = DOTS - 1
"""The last dot of a line."""
SHOWN = 0x18
"""The bits of $2001 that show background and sprites."""
_DELAY = 5
"""Dots from an access to $2007 until the PPU's memory is accessed."""
ADDRESS_DELAY = 3
"""Dots from a write to $2006 until v is set."""


@fields(words={"patterns": 8, "nametables": 4, "begins": 2 * HEIGHT}, palette=0x20)
class Replay(Chip):
    """Where the beam is, what registers and memory hold there, and what has yet to take effect.

    It draws into two pictures, of which the one that is drawn now is ``half``. Each pixel is a
    colour (6 bits) in ``pixels``; the same without sprites in ``under``; in ``origins`` the three
    bits of emphasis, and from bit 3 on which of the line's sprites it is of, 0 for none, or 1 to 8.
    ``begins`` has v at the begin of each line, and from bit 16 on fine x, from bit 20 on $2000.
    """

    begins: MutableSequence[int]

    patterns: MutableSequence[int]
    nametables: MutableSequence[int]
    palette: MutableSequence[int]
    reached: int
    half: int
    number: int
    """The frame that is being drawn, as the log counts them."""
    line: int
    column: int
    """The dot of the line."""
    odd: bool

    # registers
    v: int
    t: int
    fine_x: int
    second: bool
    control: int
    mask: int
    buffer: int
    hit: bool
    hit_at: int
    """Whether sprite 0 has hit, and in which dot, counted from the begin of line 0."""
    was_shown: bool
    is_shown: bool
    """Whether lines are drawn: as the dots see it, and a dot ahead of that."""
    is_new: bool
    """Whether anything waits to take effect."""
    _set_in: int
    _set_to: int
    """In how many dots v will be set, and to what."""
    _read_in: int
    _write_in: int
    _written: int
    _steps: bool
    """The same for accesses to memory by $2007, and whether v goes on after one."""
    _bus: int
    """The address on the PPU's bus."""

    # tiles
    _low_bits: int
    _high_bits: int
    """Two rows of pixels, of which the 16 bits leave at the top."""
    _tile: int
    _tile_low: int
    _tile_high: int
    _tile_palette: int
    _palette: int
    _next_palette: int
    """The palettes of the two tiles that are in the rows."""

    _is_skipped: bool
    """Whether the last dot of the line before was left out."""

    def __init__(
        self,
        region: Region,
        log: PictureLog,
        evaluation: Evaluation,
        chr: bytearray,
        vram: bytearray,
        palette: bytearray,
        is_rom: bool,
    ) -> None:
        self.region = region
        self.log = log
        self.evaluation = evaluation
        self.chr = chr if is_rom else bytearray(chr)
        self.vram = bytearray(vram)
        self.palette[:] = list(palette)
        self.pixels = bytearray(2 * SIZE)
        self.under = bytearray(2 * SIZE)
        self.origins = bytearray(2 * SIZE)
        self.is_rom = is_rom
        self.reached = -1
        self.line, self.column = -1, LAST
        self.units = SpriteUnits()

    @property
    def drawing(self) -> bool:
        """Whether the line that the beam is in is being drawn."""
        return self.is_shown and (self.line < HEIGHT)

    @property
    def busy(self) -> bool:
        """Whether an access to $2007 or $2006 has yet to take effect."""
        return bool(self._read_in or self._write_in or self._set_in or self._steps)

    def store_again(self, what: int) -> None:
        """Do to memory what an entry did."""
        kind, place, value = what >> KIND, what >> PLACE & VALUE, what & VALUE
        if kind == kinds.DATA or kind == kinds.MEMORY:
            self._store(place, value)
        elif kind == kinds.OAM_DATA or kind == kinds.SPRITES:
            self.evaluation.oam[place] = value
        elif kind == kinds.DMA:
            self._copy(value)
        elif kind == kinds.BANK:
            self._show(place, value)

    def apply(self, what: int) -> None:
        """An entry takes effect."""
        kind, place, value = what >> KIND, what >> PLACE & VALUE, what & VALUE
        if kind == kinds.CONTROL:
            self.control = value
            self._set_t(self.t & ~0x0C00 | (value & 3) << 10, place << 10, 0x0400)
        elif kind == kinds.MASK:
            self.mask = value
            self.is_new = True
        elif kind == kinds.STATUS:
            self.second = False
        elif kind == kinds.OAM_ADDRESS:
            self.evaluation.address = value
        elif kind == kinds.OAM_DATA:
            if self.drawing:
                self.evaluation.address = self.evaluation.address + 4 & 0xFC
            else:
                self.evaluation.oam[place] = value
                self.evaluation.address = self.evaluation.address + 1 & 0xFF
        elif kind == kinds.SCROLL:
            if self.second:
                self.t = self.t & ~0x73E0 | (value & 0xF8) << 2 | (value & 7) << 12
            else:
                self.fine_x = value & 7
                self._set_t(self.t & ~0x001F | value >> 3, place >> 3, 0x001F)
            self.second = not self.second
        elif kind == kinds.ADDRESS:
            if self.second:
                self.t = self.t & 0x7F00 | value
                self._set_in, self._set_to, self.is_new = ADDRESS_DELAY, self.t, True
            else:
                self._set_t(self.t & 0x00FF | (value & 0x3F) << 8, place << 8, 0x0C00)
            self.second = not self.second
        elif kind == kinds.DATA:
            self._write_in, self._written, self.is_new = _DELAY, value, True
        elif kind == kinds.READ_DATA:
            self._read_in, self.is_new = _DELAY, True
        elif kind == kinds.BANK:
            self._show(place, value)
        elif kind == kinds.DMA:
            self._copy(value)
        elif kind == kinds.MEMORY:
            self._store(place, value)
        elif kind == kinds.SPRITES:
            self.evaluation.oam[place] = value
        elif kind == kinds.RESET:
            self.control = self.mask = self.t = self.fine_x = self.buffer = 0
            self.second, self.is_new = False, True

    def _set_t(self, t: int, floating: int, bits: int) -> None:
        """t is written. In the dot in which it is copied, v gets bits of what was on the bus."""
        self.t = t
        if self.column == 257 and self.drawing:
            self.v = self.v & ~bits | floating & bits

    def _copy(self, block: int) -> None:
        """All sprites were written by DMA."""
        at = block * 0x100
        self.evaluation.oam[0:0x100] = self.log.blocks[at : at + 0x100]
        self.log.first_block += 1

    def _show(self, place: int, value: int) -> None:
        if place < 8:
            self.patterns[place] = value
        else:
            self.nametables[place - 8] = value

    def _store(self, place: int, value: int) -> None:
        if place >= AT_PALETTE:
            self.palette[place - AT_PALETTE] = value
        elif place >= AT_VRAM:
            self.vram[place - AT_VRAM] = value
        else:
            self.chr[place] = value

    def fetch(self, address: int) -> int:
        """The byte at an address, which is on the bus from now on."""
        self._bus = address
        if address < 0x2000:
            return self.chr[self.patterns[address >> 10] + (address & 0x3FF)]
        return self.vram[self.nametables[address >> 10 & 3] + (address & 0x3FF)]

    def write(self, address: int, value: int) -> None:
        if address >= PALETTE:
            self.palette[colour(address)] = value & 0x3F
        elif address >= 0x2000:
            self.vram[self.nametables[address >> 10 & 3] + (address & 0x3FF)] = value
        elif not self.is_rom:
            self.chr[self.patterns[address >> 10] + (address & 0x3FF)] = value
