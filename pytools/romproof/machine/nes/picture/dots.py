"""The PPU's picture, dot by dot: it does again what a program did, at the dots in which it did.

In each dot of a line the PPU reads tiles ahead, looks for the sprites of the next line, and puts
out a pixel: the topmost bits of shift registers, those of the background and of eight sprites.
Sources: nesdev, "PPU rendering", "PPU sprite evaluation", "PPU scrolling"; for the order of events
in a dot and what happens when a program interferes, Mesen and the tests of AccuracyCoin.
"""

from __future__ import annotations

from romproof.engine.chips import fields
from romproof.machine.nes.picture.replay import LAST, SHOWN, SIZE, WIDTH, Replay
from romproof.machine.nes.picture.units import NOWHERE
from romproof.machine.nes.regions import DOTS
from romproof.machine.nes.scroll import HEIGHT, down, right
from romproof.machine.nes.video_memory import PALETTE, colour

BACKGROUND_LEFT, SPRITES_LEFT, BACKGROUND, SPRITES = 0x02, 0x04, 0x08, 0x10
"""Bits of $2001."""
_DOWN, SPRITE_PATTERNS, PATTERNS, TALL = 0x04, 0x08, 0x10, 0x20
"""Bits of $2000."""


@fields()
class Dots(Replay):
    """Does a dot after the other."""

    def tiles_of_sprites(self) -> int:
        """What $2004 gives while lines are drawn."""
        if self.column >= 257 or not self.column:
            self.evaluation.copied = self.evaluation.found[self.evaluation.place & 0x1F]
        return self.evaluation.copied

    def step(self) -> None:
        """The next dot."""
        if self.column == LAST:
            self.column = 0
            self.line += 1
            if self.line == self.region.lines - 1:
                self.line = -1
            self.begin_line()
        else:
            self.column += 1
            if self.line < HEIGHT:
                self._draw()
        if self.is_new:
            self._settle()

    def begin_line(self) -> None:
        self.units.plan(0)
        if self.line < 0:
            self.evaluation.overflow = self.hit = False
            if self.is_shown:
                self.evaluation.corrupt(self.evaluation.address >> 3, self.evaluation.place & 0x1F)
        elif self.line < HEIGHT:
            begin = self.control << 20 | self.fine_x << 16 | self.v
            self.begins[self.half * HEIGHT + self.line] = begin
            if self.was_shown:
                self.evaluation.place = 0
                if self.line or not self._is_skipped:
                    self._bus = (
                        self._tile << 4 | self.v >> 12 | (self.control & PATTERNS) << 8
                    ) & 0x3FFF
        elif self.line == HEIGHT:
            if self.was_shown:
                self.evaluation.place = 0
            self._bus = self.v & 0x3FFF
            self.half = 1 - self.half
            self.number += 1

    def _draw(self) -> None:
        """A dot of a line that is drawn, but for the first, which is idle."""
        column = self.column
        if column <= WIDTH:
            if self.line >= 0:
                if column == self.units.next_start:
                    self.units.start(column)
                self._put()
            if self.was_shown:
                if self.line >= 0:
                    self.evaluation.step(column, self.line, 16 if self.control & TALL else 8)
                    self._low_bits = self._low_bits << 1 & 0xFFFF
                    self._high_bits = self._high_bits << 1 & 0xFFFF | 1
                if column & 7 == 0:
                    self.v = right(self.v, 1)
                    if column == WIDTH:
                        self.v = down(self.v, 1)
                self.read_tile(column)
        elif column <= 320:
            if self.was_shown:
                self._read_sprites(column)
        elif column <= 336:
            if self.was_shown:
                if column == 321:
                    self.evaluation.place += 1
                elif column & 7 == 0:
                    self.v = right(self.v, 1)
                self._low_bits = self._low_bits << 1 & 0xFFFF
                self._high_bits = self._high_bits << 1 & 0xFFFF | 1
                self.read_tile(column)
        elif column == 337:
            if self.is_shown:
                self._tile = self.fetch(0x2000 | self.v & 0x0FFF)
        elif column == 339:
            self._end_line()

    def _end_line(self) -> None:
        """Sprites that were read begin to wait for their dots; others put out what is left."""
        is_shown = self.is_shown
        self.units.end_line(is_shown)
        if is_shown:
            self._tile = self.fetch(0x2000 | self.v & 0x0FFF)
        if self.line < 0:
            self.odd = not self.odd
            if is_shown and self.region.skips and not self.odd:
                self.column = LAST
                self._is_skipped = True
                self.units.delay()

    def _settle(self) -> None:
        """What was written some dots ago takes effect."""
        self.is_new = False
        if self.was_shown != self.is_shown:
            self.was_shown = self.is_shown
            self._switch()
        shown = bool(self.mask & SHOWN)
        if self.is_shown != shown:
            self.is_shown, self.is_new = shown, True
        if self._set_in:
            self._set_in -= 1
            self.is_new = True
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
            self.is_new = True
            if not self._read_in:
                self.buffer = self.fetch(self._bus & 0x3FFF)
                self._steps = True
        if self._write_in:
            self._write_in -= 1
            self.is_new = True
            if not self._write_in:
                # while lines are drawn, the low byte of the address is on the bus
                value = self._bus & 0xFF if self.drawing and self._bus < PALETTE else self._written
                self.write(self._bus & 0x3FFF, value)
                self._steps = True

    def _switch(self) -> None:
        """The dots see now that lines are drawn, or no longer."""
        if self.line >= HEIGHT:
            return
        if self.is_shown:
            if self.column >= 257 or not self.column & 1:
                self.evaluation.corrupt(self.evaluation.address >> 3, self.evaluation.place & 0x1F)
            return
        self._bus = self.v & 0x3FFF
        if 65 <= self.column <= WIDTH:
            self.evaluation.address = self.evaluation.address + 1 & 0xFF

    def _set_v(self) -> None:
        """v is set by $2006. When it is moved in that very dot, bits of both are joined."""
        to, column = self._set_to, self.column
        if self.drawing and column == 257:
            self.v &= to
        elif self.drawing and column and not column & 7 and (column <= WIDTH or column > 320):
            self.v = to & ~0x041F | self.v & to & 0x041F
        else:
            self.v = to
        self.t = self.v
        if not self.drawing:
            self._bus = self.v & 0x3FFF

    def read_tile(self, column: int) -> None:
        """A dot of the eight in which a tile of the background is read."""
        part = column & 7
        if part == 1:
            tile = self.fetch(0x2000 | self.v & 0x0FFF)
            self._tile = tile << 4 | self.v >> 12 | (self.control & PATTERNS) << 8
        elif part == 3:
            v = self.v
            byte = self.fetch(0x23C0 | v & 0x0C00 | v >> 4 & 0x38 | v >> 2 & 7)
            self._tile_palette = (byte >> (v >> 4 & 4 | v & 2) & 3) << 2
        elif part == 5:
            self._tile_low = self.fetch(self._tile)
        elif part == 7:
            self._tile_high = self.fetch(self._tile + 8)
        elif part == 0:
            self._low_bits = self._low_bits & 0xFF00 | self._tile_low
            self._high_bits = self._high_bits & 0xFF00 | self._tile_high
            self._palette = self._next_palette
            self._next_palette = self._tile_palette

    def _read_sprites(self, column: int) -> None:
        """A dot of those in which the patterns of the next line's sprites are read."""
        evaluation = self.evaluation
        self.units.zero = evaluation.zero
        evaluation.address = 0
        if column == 257:
            self.v = self.v & ~0x041F | self.t & 0x041F
            evaluation.place = 0
        part = column - 257 & 7
        if part == 0 or part == 2:
            self.fetch(0x2000 | self.v & 0x0FFF)
        elif part == 4:
            self.read_sprite(column - 257 >> 3)
        if self.line < 0 and 280 <= column <= 304:
            self.v = self.v & ~0x7BE0 | self.t & 0x7BE0
        if not column - 1 & 4 and column != 257:
            evaluation.place += 1

    def read_sprite(self, place: int) -> None:
        found = self.evaluation.found
        y, tile = found[4 * place], found[4 * place + 1]
        attributes, x = found[4 * place + 2], found[4 * place + 3]
        size = 15 if self.control & TALL else 7
        line = self.line if self.line >= 0 else self.region.lines - 1 & 0xFF
        row = line - y
        is_there = row >= 0 and row <= size
        if attributes & 0x80:
            row ^= size
        if self.control & TALL:
            address = (tile & 1) << 12 | (tile & 0xFE) << 4 | (row & 8) << 1 | row & 7
        else:
            address = (self.control & SPRITE_PATTERNS) << 9 | tile << 4 | row & 7
        low, high = self.fetch(address), self.fetch(address + 8)
        self.units.load(place, low, high, attributes, x if is_there else NOWHERE)

    def _put(self) -> None:
        """Put out a pixel."""
        grey = 0x30 if self.mask & 1 else 0x3F
        at = self.half * SIZE + self.line * WIDTH + self.column - 1
        if self.is_shown or self.v & 0x3F00 != PALETTE:
            behind = self._background()
            place, unit = self._mix(behind)
        else:
            behind = place = colour(self.v)
            unit = 0
        self.under[at] = self.palette[behind] & grey
        self.pixels[at] = self.palette[place] & grey
        self.origins[at] = self.mask >> 5 | unit << 3

    def _background(self) -> int:
        """Where in the palette the background's colour of this dot is; 0 where it has none."""
        column, mask = self.column, self.mask
        if not mask & BACKGROUND or (column <= 8 and not mask & BACKGROUND_LEFT):
            return 0
        shift = 15 - self.fine_x
        opaque = self._low_bits >> shift & 1 | (self._high_bits >> shift & 1) << 1
        if not opaque:
            return 0
        is_first = self.fine_x + (column - 1 & 7) < 8
        return (self._palette if is_first else self._next_palette) | opaque

    def _mix(self, behind: int) -> tuple[int, int]:
        """The same of this dot, and of which sprite it is, 0 for none; sprite 0 may hit in it."""
        units, column, mask = self.units, self.column, self.mask
        if not self.was_shown or not (units.active or self._is_skipped):
            return behind, 0
        sprite = units.put(0xFF if self._is_skipped else units.active)
        self._is_skipped = False
        pixel, first = sprite & 3, sprite >> 2
        if not pixel or not mask & SPRITES or (column <= 8 and not mask & SPRITES_LEFT):
            return behind, 0
        if not first and units.zero and behind and column != WIDTH:
            if not self.hit:
                self.hit_at = self.line * DOTS + column
            self.hit = True
        attributes = units.attributes[first]
        if behind and attributes & 0x20:
            return behind, 0
        return 0x10 | (attributes & 3) << 2 | pixel, first + 1
