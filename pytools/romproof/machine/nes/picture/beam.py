"""The PPU's picture, dot by dot: it does again what a program did, at the dots in which it did it.

In each dot of a line the PPU reads tiles ahead, looks for the sprites of the next line, and puts out a
pixel: the topmost bits of shift registers, those of the background and of eight sprites. Sources:
nesdev, "PPU rendering", "PPU sprite evaluation", "PPU scrolling"; for the order of events in a dot and
what happens when a program interferes, Mesen and the tests of AccuracyCoin.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.machine.nes.picture import log as kinds
from romproof.machine.nes.picture.evaluation import Evaluation
from romproof.machine.nes.picture.log import CAPACITY, KIND, PLACE, VALUE, PictureLog
from romproof.machine.nes.regions import DOTS, Region
from romproof.machine.nes.scroll import HEIGHT, down, right
from romproof.machine.nes.video_memory import AT_PALETTE, AT_VRAM, PALETTE, colour

WIDTH = 256
SIZE = WIDTH * HEIGHT
"""Pixels of a picture."""
_LAST = DOTS - 1
_NEVER = 0x7FFF
"""A dot of no line."""
_BACKGROUND_LEFT, _SPRITES_LEFT, _BACKGROUND, _SPRITES = 0x02, 0x04, 0x08, 0x10
_SHOWN = _BACKGROUND | _SPRITES
"""Bits of $2001."""
_DOWN, _SPRITE_PATTERNS, _PATTERNS, _TALL = 0x04, 0x08, 0x10, 0x20
"""Bits of $2000."""
_DELAY = 5
"""Dots from an access to $2007 until the PPU's memory is accessed."""
ADDRESS_DELAY = 3
"""Dots from a write to $2006 until v is set."""

@fields(
    words={"patterns": 8, "nametables": 4, "_starts": 8},
    palette=0x20,
    _low=8,
    _high=8,
    _sprite=8,
)
class Beam(Chip):
    """Draws into ``pixels``: two pictures, of which the one that is drawn is ``half``; each pixel is
    the colour (6 bits), and in ``tints`` the three bits of emphasis. It is ahead of ``reached``, the
    last dot that is done, by nothing."""

    patterns: MutableSequence[int]
    nametables: MutableSequence[int]
    palette: MutableSequence[int]
    reached: int
    half: int
    number: int
    """The frame that is being drawn, as the log counts them."""
    _line: int
    _column: int
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
    _was_shown: bool
    _is_shown: bool
    """Whether lines are drawn: as the dots see it, and a dot ahead of that."""
    _is_new: bool
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

    # sprites
    _starts: MutableSequence[int]
    """The dot in which a sprite begins."""
    _low: MutableSequence[int]
    _high: MutableSequence[int]
    _sprite: MutableSequence[int]
    """The pixels of each of the eight sprites, and its attributes."""
    _waiting: int
    _expired: int
    _active: int
    """Which of the sprites wait for their dot, have done so, and put out pixels: a bit for each."""
    _next_start: int
    """The first dot in which one begins."""
    _zero: bool
    """Whether the first of them is sprite 0."""
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
        self.tints = bytearray(2 * SIZE)
        self.is_rom = is_rom
        self.reached = -1
        self._line, self._column = -1, _LAST
        for place in range(8):
            self._starts[place] = _NEVER
        self._next_start = _NEVER

    def run(self, dot: int) -> int:
        """Do all up to a dot, and take note of what was written up to it."""
        while True:
            while self.log.first < self.log.count:
                at = self.log.first & CAPACITY - 1
                if self.log.when[at] > self.reached:
                    break
                self._take(self.log.what[at])
                self.log.first += 1
            if self.reached >= dot:
                return 0
            self._step()
            self.reached += 1

    def skip(self) -> int:
        """Do all up to the begin of the frame that has begun, without drawing."""
        while self.log.first < self.log.mark:
            self._remember(self.log.what[self.log.first & CAPACITY - 1])
            self.log.first += 1
        registers = self.log.registers
        self.v, self.t = registers[0], registers[1]
        self.fine_x, self.second = registers[2] & 7, bool(registers[2] >> 3)
        self.buffer, self.evaluation.address = registers[3] >> 8, registers[3] & 0xFF
        self.control, self.mask = registers[4] >> 8, registers[4] & 0xFF
        self.odd = bool(registers[5])
        self._was_shown = self._is_shown = bool(self.mask & _SHOWN)
        self._set_in = self._read_in = self._write_in = 0
        self._steps = self._is_new = self._is_skipped = False
        self._bus = self.v & 0x3FFF
        self.reached = self.log.begin
        self._line, self._column = HEIGHT, 0
        self.half = 1 - self.half
        self.number = self.log.number
        self._active = self._waiting = self._expired = 0
        for place in range(8):
            self._starts[place] = _NEVER
        self._next_start = _NEVER
        self._zero = False
        self.evaluation.skip()
        return 0

    def tiles_of_sprites(self) -> int:
        """What $2004 gives while lines are drawn."""
        if self._column >= 257 or not self._column:
            self.evaluation.copied = self.evaluation.found[self.evaluation.place & 0x1F]
        return self.evaluation.copied

    @property
    def drawing(self) -> bool:
        """Whether the line that the beam is in is being drawn."""
        return self._is_shown and (self._line < HEIGHT)

    @property
    def busy(self) -> bool:
        """Whether an access to $2007 or $2006 has yet to take effect."""
        return bool(self._read_in or self._write_in or self._set_in or self._steps)

    # what was noted

    def _remember(self, what: int) -> None:
        """Do to memory what an entry did."""
        kind, place, value = what >> KIND, what >> PLACE & VALUE, what & VALUE
        if kind == kinds.DATA or kind == kinds.MEMORY:
            self._store(place, value)
        elif kind == kinds.OAM_DATA or kind == kinds.SPRITES:
            self.evaluation.oam[place] = value
        elif kind == kinds.DMA:
            self._copy(place, value)
        elif kind == kinds.BANK:
            self._show(place, value)

    def _take(self, what: int) -> None:
        """An entry takes effect."""
        kind, place, value = what >> KIND, what >> PLACE & VALUE, what & VALUE
        if kind == kinds.CONTROL:
            self.control = value
            self._set_t(self.t & ~0x0C00 | (value & 3) << 10, place << 10, 0x0400)
        elif kind == kinds.MASK:
            self.mask = value
            self._is_new = True
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
                self._set_in, self._set_to, self._is_new = ADDRESS_DELAY, self.t, True
            else:
                self._set_t(self.t & 0x00FF | (value & 0x3F) << 8, place << 8, 0x0C00)
            self.second = not self.second
        elif kind == kinds.DATA:
            self._write_in, self._written, self._is_new = _DELAY, value, True
        elif kind == kinds.READ_DATA:
            self._read_in, self._is_new = _DELAY, True
        elif kind == kinds.BANK:
            self._show(place, value)
        elif kind == kinds.DMA:
            self._copy(place, value)
        elif kind == kinds.MEMORY:
            self._store(place, value)
        elif kind == kinds.SPRITES:
            self.evaluation.oam[place] = value
        elif kind == kinds.RESET:
            self.control = self.mask = self.t = self.fine_x = self.buffer = 0
            self.second, self._is_new = False, True

    def _set_t(self, t: int, floating: int, bits: int) -> None:
        """t is written. In the dot in which it is copied, v gets bits of what was on the bus."""
        self.t = t
        if self._column == 257 and self.drawing:
            self.v = self.v & ~bits | floating & bits

    def _copy(self, place: int, block: int) -> None:
        """Sprites were copied by DMA, to an address on."""
        for offset in range(0x100):
            into = place + offset & 0xFF
            self.evaluation.oam[into] = self.log.blocks[block * 0x100 + offset]
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

    # memory

    def _fetch(self, address: int) -> int:
        """The byte at an address, which is on the bus from now on."""
        self._bus = address
        if address < 0x2000:
            return self.chr[self.patterns[address >> 10] + (address & 0x3FF)]
        return self.vram[self.nametables[address >> 10 & 3] + (address & 0x3FF)]

    def _write(self, address: int, value: int) -> None:
        if address >= PALETTE:
            self.palette[colour(address)] = value & 0x3F
        elif address >= 0x2000:
            self.vram[self.nametables[address >> 10 & 3] + (address & 0x3FF)] = value
        elif not self.is_rom:
            self.chr[self.patterns[address >> 10] + (address & 0x3FF)] = value

    # a dot

    def _step(self) -> None:
        """The next dot."""
        if self._column == _LAST:
            self._column = 0
            self._line += 1
            if self._line == self.region.lines - 1:
                self._line = -1
            self._begin_line()
        else:
            self._column += 1
            if self._line < HEIGHT:
                self._draw()
        if self._is_new:
            self._settle()

    def _begin_line(self) -> None:
        self._next_start = self._first_start(0)
        if self._line < 0:
            self.evaluation.overflow = self.hit = False
            if self._is_shown:
                self.evaluation.corrupt(self.evaluation.address >> 3, self.evaluation.place & 0x1F)
        elif self._line < HEIGHT:
            if self._was_shown:
                self.evaluation.place = 0
                if self._line or not self._is_skipped:
                    self._bus = (
                        self._tile << 4 | self.v >> 12 | (self.control & _PATTERNS) << 8
                    ) & 0x3FFF
        elif self._line == HEIGHT:
            if self._was_shown:
                self.evaluation.place = 0
            self._bus = self.v & 0x3FFF
            self.half = 1 - self.half
            self.number += 1

    def _draw(self) -> None:
        """A dot of a line that is drawn, but for the first, which is idle."""
        column = self._column
        if column <= WIDTH:
            if self._line >= 0:
                if column == self._next_start:
                    self._start_sprites()
                self._put()
            if self._was_shown:
                if self._line >= 0:
                    self.evaluation.step(column, self._line, 16 if self.control & _TALL else 8)
                    self._low_bits = self._low_bits << 1 & 0xFFFF
                    self._high_bits = self._high_bits << 1 & 0xFFFF | 1
                if column & 7 == 0:
                    self.v = right(self.v, 1)
                    if column == WIDTH:
                        self.v = down(self.v, 1)
                self._read_tile(column)
        elif column <= 320:
            if self._was_shown:
                self._read_sprites(column)
        elif column <= 336:
            if self._was_shown:
                if column == 321:
                    self.evaluation.place += 1
                elif column & 7 == 0:
                    self.v = right(self.v, 1)
                self._low_bits = self._low_bits << 1 & 0xFFFF
                self._high_bits = self._high_bits << 1 & 0xFFFF | 1
                self._read_tile(column)
        elif column == 337:
            if self._is_shown:
                self._tile = self._fetch(0x2000 | self.v & 0x0FFF)
        elif column == 339:
            self._end_line()

    def _end_line(self) -> None:
        """Sprites that were read begin to wait for their dots; others put out what is left."""
        self._active = 0
        if self._is_shown:
            self._tile = self._fetch(0x2000 | self.v & 0x0FFF)
            for place in range(8):
                if self._starts[place] != _NEVER:
                    self._waiting |= 1 << place
            self._waiting &= ~self._expired
            if self._line < 0:
                self.odd = not self.odd
                if self.region.skips and not self.odd:
                    self._column = _LAST
                    self._is_skipped = True
                    for place in range(8):
                        if self._starts[place] != _NEVER:
                            self._starts[place] += 1
        elif self._line < 0:
            self.odd = not self.odd
        for place in range(8):
            if self._starts[place] != _NEVER and not self._waiting >> place & 1:
                self._active |= 1 << place

    def _settle(self) -> None:
        """What was written some dots ago takes effect."""
        self._is_new = False
        if self._was_shown != self._is_shown:
            self._was_shown = self._is_shown
            self._switch()
        shown = bool(self.mask & _SHOWN)
        if self._is_shown != shown:
            self._is_shown, self._is_new = shown, True
        if self._set_in:
            self._set_in -= 1
            self._is_new = True
            if not self._set_in:
                self._set_v()
        if self._steps:
            self._steps = False
            if self.drawing:
                self.v = down(right(self.v, 1), 1)
            else:
                self.v = self.v + (32 if self.control & _DOWN else 1) & 0x7FFF
                self._bus = self.v & 0x3FFF
        if self._read_in:
            self._read_in -= 1
            self._is_new = True
            if not self._read_in:
                self.buffer = self._fetch(self._bus & 0x3FFF)
                self._steps = True
        if self._write_in:
            self._write_in -= 1
            self._is_new = True
            if not self._write_in:
                # while lines are drawn, the low byte of the address is on the bus
                value = self._bus & 0xFF if self.drawing and self._bus < PALETTE else self._written
                self._write(self._bus & 0x3FFF, value)
                self._steps = True

    def _switch(self) -> None:
        """The dots see now that lines are drawn, or no longer."""
        if self._line >= HEIGHT:
            return
        if self._is_shown:
            if self._column >= 257 or not self._column & 1:
                self.evaluation.corrupt(self.evaluation.address >> 3, self.evaluation.place & 0x1F)
            return
        self._bus = self.v & 0x3FFF
        if 65 <= self._column <= WIDTH:
            self.evaluation.address = self.evaluation.address + 1 & 0xFF

    def _set_v(self) -> None:
        """v is set by $2006. When it is moved in that very dot, bits of both are joined."""
        to, column = self._set_to, self._column
        if self.drawing and column == 257:
            self.v &= to
        elif self.drawing and column and not column & 7 and (column <= WIDTH or column > 320):
            self.v = to & ~0x041F | self.v & to & 0x041F
        else:
            self.v = to
        self.t = self.v
        if not self.drawing:
            self._bus = self.v & 0x3FFF

    # tiles

    def _read_tile(self, column: int) -> None:
        """A dot of the eight in which a tile of the background is read."""
        part = column & 7
        if part == 1:
            tile = self._fetch(0x2000 | self.v & 0x0FFF)
            self._tile = tile << 4 | self.v >> 12 | (self.control & _PATTERNS) << 8
        elif part == 3:
            v = self.v
            byte = self._fetch(0x23C0 | v & 0x0C00 | v >> 4 & 0x38 | v >> 2 & 7)
            self._tile_palette = (byte >> (v >> 4 & 4 | v & 2) & 3) << 2
        elif part == 5:
            self._tile_low = self._fetch(self._tile)
        elif part == 7:
            self._tile_high = self._fetch(self._tile + 8)
        elif part == 0:
            self._low_bits = self._low_bits & 0xFF00 | self._tile_low
            self._high_bits = self._high_bits & 0xFF00 | self._tile_high
            self._palette = self._next_palette
            self._next_palette = self._tile_palette

    # sprites

    def _read_sprites(self, column: int) -> None:
        """A dot of those in which the patterns of the next line's sprites are read."""
        evaluation = self.evaluation
        self._zero = evaluation.zero
        evaluation.address = 0
        if column == 257:
            self.v = self.v & ~0x041F | self.t & 0x041F
            evaluation.place = 0
        part = column - 257 & 7
        if part == 0 or part == 2:
            self._fetch(0x2000 | self.v & 0x0FFF)
        elif part == 4:
            self._read_sprite(column - 257 >> 3)
        if self._line < 0 and 280 <= column <= 304:
            self.v = self.v & ~0x7BE0 | self.t & 0x7BE0
        if not column - 1 & 4 and column != 257:
            evaluation.place += 1

    def _read_sprite(self, place: int) -> None:
        found = self.evaluation.found
        y, tile = found[4 * place], found[4 * place + 1]
        attributes, x = found[4 * place + 2], found[4 * place + 3]
        size = 15 if self.control & _TALL else 7
        line = self._line if self._line >= 0 else self.region.lines - 1 & 0xFF
        row = line - y
        is_there = row >= 0 and row <= size
        if attributes & 0x80:
            row ^= size
        if self.control & _TALL:
            address = (tile & 1) << 12 | (tile & 0xFE) << 4 | (row & 8) << 1 | row & 7
        else:
            address = (self.control & _SPRITE_PATTERNS) << 9 | tile << 4 | row & 7
        low, high = self._fetch(address), self._fetch(address + 8)
        self._sprite[place] = attributes
        if not is_there:
            self._low[place] = self._high[place] = 0
            self._starts[place] = _NEVER
            return
        if attributes & 0x40:
            low, high = reverse(low), reverse(high)
        self._low[place], self._high[place] = low, high
        self._starts[place] = x + 1
        self._expired &= ~(1 << place)

    def _first_start(self, after: int) -> int:
        """The first dot after another in which a sprite begins."""
        first = _NEVER
        for place in range(8):
            start = self._starts[place]
            if start > after and start < first:
                first = start
        return first

    def _start_sprites(self) -> None:
        for place in range(8):
            bit = 1 << place
            if self._starts[place] == self._column and self._waiting & bit:
                self._active |= bit
                self._expired |= bit
                self._waiting &= ~bit
        self._next_start = self._first_start(self._column)

    # pixels

    def _put(self) -> None:
        """Put out a pixel."""
        if self._is_shown or self.v & 0x3F00 != PALETTE:
            place = self._pixel()
            if not place & 3:
                place = 0
        else:
            place = colour(self.v)
        at = self.half * SIZE + self._line * WIDTH + self._column - 1
        self.pixels[at] = self.palette[place] & (0x30 if self.mask & 1 else 0x3F)
        self.tints[at] = self.mask >> 5

    def _pixel(self) -> int:
        """Where in the palette the colour of this dot is, and whether sprite 0 hits in it."""
        column, mask = self._column, self.mask
        opaque = 0
        if mask & _BACKGROUND and (column > 8 or mask & _BACKGROUND_LEFT):
            shift = 15 - self.fine_x
            opaque = self._low_bits >> shift & 1 | (self._high_bits >> shift & 1) << 1
        is_first = self.fine_x + (column - 1 & 7) < 8
        background = (self._palette if is_first else self._next_palette) + opaque
        if not self._was_shown or not (self._active or self._is_skipped):
            return background
        shown, first = 0, 0
        among = 0xFF if self._is_skipped and column == 1 else self._active
        self._is_skipped = False
        for number in range(8):
            place = 7 - number
            if among >> place & 1:
                low, high = self._low[place], self._high[place]
                pixel = low >> 7 | high >> 7 << 1
                if pixel:
                    shown, first = pixel, place
                self._low[place], self._high[place] = low << 1 & 0xFF, high << 1 & 0xFF
                if not (low << 1 & 0xFF or high << 1 & 0xFF):
                    self._active &= ~(1 << place)
        if not shown or not mask & _SPRITES or (column <= 8 and not mask & _SPRITES_LEFT):
            return background
        if not first and self._zero and opaque and column != WIDTH:
            if not self.hit:
                self.hit_at = self._line * DOTS + column
            self.hit = True
        attributes = self._sprite[first]
        if opaque and attributes & 0x20:
            return background
        return 0x10 | (attributes & 3) << 2 | shown


def reverse(byte: int) -> int:
    """The bits of a byte in reverse order."""
    byte = (byte & 0x0F) << 4 | byte >> 4
    byte = (byte & 0x33) << 2 | byte >> 2 & 0x33
    return (byte & 0x55) << 1 | byte >> 1 & 0x55
