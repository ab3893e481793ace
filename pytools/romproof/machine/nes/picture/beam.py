"""The beam: draws what was noted, up to a dot, or leaves out what nobody looks at.

Lines in which nothing was written are drawn as a whole, the others dot by dot.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import fields
from romproof.engine.space import NEVER
from romproof.machine.nes.picture.dots import (
    BACKGROUND,
    BACKGROUND_LEFT,
    PATTERNS,
    SPRITES,
    SPRITES_LEFT,
    TALL,
    Dots,
)
from romproof.machine.nes.picture.evaluation import FOUND
from romproof.machine.nes.picture.log import CAPACITY
from romproof.machine.nes.picture.replay import LAST, SHOWN, SIZE, WIDTH
from romproof.machine.nes.picture.units import COUNT, NOWHERE
from romproof.machine.nes.regions import DOTS
from romproof.machine.nes.scroll import HEIGHT, down, right
from romproof.machine.nes.video_memory import PALETTE, colour

_TILES = 34
"""Tiles that are read for a line, or for the next one."""


@fields(_row=8 * _TILES, _above=WIDTH)
class Beam(Dots):
    """Draws up to a dot. ``reached`` is the last one that is done."""

    has_drawn: bool
    """Whether there are pixels of the last frames."""
    by_dots: bool
    """Draw no line as a whole, for comparison."""
    _row: MutableSequence[int]
    """The background of a line, from the left edge of its first tile: places in the palette."""
    _above: MutableSequence[int]
    """The sprites of a line: 0 for none, or 1 + 4 × the unit + 32 × the pixel."""

    def run(self, dot: int) -> int:
        """Do all up to a dot, and take note of what was written up to it."""
        self.has_drawn = True
        while True:
            following = self._apply_due()
            if self.reached >= dot:
                return 0
            until = min(dot, following)
            if self.column == LAST and self.line < HEIGHT - 1 and self._is_whole(until):
                self._draw_line()
                self.reached += DOTS
            elif self.line >= HEIGHT and not self.is_new and not self.by_dots:
                self._rest(until)
            else:
                self.step()
                self.reached += 1

    def skip(self) -> int:
        """Do all up to the begin of the frame that has begun, without drawing."""
        while self.log.first < self.log.mark:
            self.store_again(self.log.what[self.log.first & CAPACITY - 1])
            self.log.first += 1
        registers = self.log.registers
        self.v, self.t = registers[0], registers[1]
        self.fine_x, self.second = registers[2] & 7, bool(registers[2] >> 3)
        self.buffer, self.evaluation.address = registers[3] >> 8, registers[3] & 0xFF
        self.control, self.mask = registers[4] >> 8, registers[4] & 0xFF
        self.odd = bool(registers[5])
        self.was_shown = self.is_shown = bool(self.mask & SHOWN)
        self._set_in = self._read_in = self._write_in = 0
        self._steps = self.is_new = self._is_skipped = False
        self._bus = self.v & 0x3FFF
        self.reached = self.log.begin
        self.line, self.column = HEIGHT, 0
        self.half = 1 - self.half
        self.number = self.log.number
        self.has_drawn = False
        self.units.clear()
        self.evaluation.skip()
        return 0

    def _apply_due(self) -> int:
        """Let entries take effect whose dot has come; the dot of the next one."""
        while self.log.first < self.log.count:
            at = self.log.first & CAPACITY - 1
            if self.log.when[at] > self.reached:
                return self.log.when[at]
            self.apply(self.log.what[at])
            self.log.first += 1
        return NEVER

    def _rest(self, until: int) -> None:
        """Nothing happens before the line in front of line 0."""
        there = self.line * DOTS + self.column
        count = min(until - self.reached, (self.region.lines - 1) * DOTS - 1 - there)
        if count <= 0:
            self.step()
            self.reached += 1
            return
        self.reached += count
        self.line, self.column = (there + count) // DOTS, (there + count) % DOTS

    def _is_whole(self, until: int) -> bool:
        """Whether nothing is written in the next line, and nothing is left from before."""
        if self.reached + DOTS > until or self.by_dots or self.is_new or self._is_skipped:
            return False
        units = self.units
        if not self.is_shown:
            return not (self.was_shown or units.active or units.waiting)
        if not self.was_shown or units.active or self.evaluation.address:
            return False
        for place in range(COUNT):
            if units.starts[place] != NOWHERE and not units.waiting >> place & 1:
                return False
        return True

    def _draw_line(self) -> None:
        """The next line, from its dot 0 to its last."""
        self.column = 0
        self.line += 1
        self.begin_line()
        if self.is_shown:
            self._read_row()
            self._put_row()
            self._find_sprites()
            self._read_ahead()
        else:
            self._put_nothing()
            self.units.end_line(False)
        self.column = LAST

    def _put_nothing(self) -> None:
        """A line without background and sprites."""
        place = colour(self.v) if self.v & 0x3F00 == PALETTE else 0
        at = self.half * SIZE + self.line * WIDTH
        pixel, tint = self.palette[place] & (0x30 if self.mask & 1 else 0x3F), self.mask >> 5
        for x in range(WIDTH):
            self.pixels[at + x] = self.under[at + x] = pixel
        for x in range(WIDTH):
            self.origins[at + x] = tint

    def _read_row(self) -> None:
        """The background: two tiles were read before, the others are now."""
        v, patterns = self.v, (self.control & PATTERNS) << 8 | self.v >> 12
        self._spread(0, self._low_bits >> 8, self._high_bits >> 8, self._palette)
        self._spread(8, self._low_bits & 0xFF, self._high_bits & 0xFF, self._next_palette)
        for tile in range(2, _TILES - 1):
            address = self._look(0x2000 | v & 0x0FFF) << 4 | patterns
            palette = self._look(0x23C0 | v & 0x0C00 | v >> 4 & 0x38 | v >> 2 & 7)
            palette = (palette >> (v >> 4 & 4 | v & 2) & 3) << 2
            self._spread(8 * tile, self._look(address), self._look(address + 8), palette)
            v = (v & ~0x001F) ^ 0x0400 if v & 0x1F == 0x1F else v + 1

    def _look(self, address: int) -> int:
        """The byte at an address."""
        if address < 0x2000:
            return self.chr[self.patterns[address >> 10] + (address & 0x3FF)]
        return self.vram[self.nametables[address >> 10 & 3] + (address & 0x3FF)]

    def _spread(self, at: int, low: int, high: int, palette: int) -> None:
        """Eight pixels into the row."""
        for x in range(8):
            pixel = low >> 7 - x & 1 | (high >> 7 - x & 1) << 1
            self._row[at + x] = palette | pixel if pixel else 0

    def _put_row(self) -> None:
        """Put out the line: the background, and then what sprites are in front of it."""
        at, start = self.half * SIZE + self.line * WIDTH, self.fine_x
        grey, tint, mask = 0x30 if self.mask & 1 else 0x3F, self.mask >> 5, self.mask
        if not mask & BACKGROUND:
            for x in range(8 * _TILES):
                self._row[x] = 0
        elif not mask & BACKGROUND_LEFT:
            for x in range(8):
                self._row[start + x] = 0
        for x in range(WIDTH):
            self.pixels[at + x] = self.under[at + x] = self.palette[self._row[start + x]] & grey
        for x in range(WIDTH):
            self.origins[at + x] = tint
        units, first = self.units, 0 if mask & SPRITES_LEFT else 8
        there = 0
        for number in range(COUNT):
            place = COUNT - 1 - number
            left = units.starts[place] - 1
            if left < WIDTH:
                there |= 1 << place
                low, high = units.low[place], units.high[place]
                for x in range(left, min(left + 8, WIDTH)):
                    pixel = low >> 7 & 1 | high >> 6 & 2
                    low, high = low << 1, high << 1
                    if pixel:
                        self._above[x] = pixel << 5 | place << 2 | 1
        if mask & SPRITES:
            self._put_sprites(at, start, first, grey)
        for place in range(COUNT):
            left = units.starts[place] - 1
            if left < WIDTH:
                for x in range(left, min(left + 8, WIDTH)):
                    self._above[x] = 0
        units.waiting &= ~there
        units.expired |= there

    def _put_sprites(self, at: int, start: int, first: int, grey: int) -> None:
        """Put the pixels of sprites over the background, from a dot on."""
        units = self.units
        for place in range(COUNT):
            left = units.starts[place] - 1
            if left < WIDTH:
                for x in range(max(left, first), min(left + 8, WIDTH)):
                    above = self._above[x]
                    if above and above >> 2 & 7 == place:
                        self._put_sprite(at, x, self._row[start + x], above >> 5, place, grey)

    def _put_sprite(self, at: int, x: int, behind: int, pixel: int, place: int, grey: int) -> None:
        units = self.units
        attributes = units.attributes[place]
        if behind and not place and units.zero and x != WIDTH - 1 and not self.hit:
            self.hit, self.hit_at = True, self.line * DOTS + x + 1
        if not behind or not attributes & 0x20:
            self.pixels[at + x] = self.palette[0x10 | (attributes & 3) << 2 | pixel] & grey
            self.origins[at + x] |= place + 1 << 3

    def _find_sprites(self) -> None:
        """Look for the sprites of the next line."""
        evaluation = self.evaluation
        for place in range(FOUND):
            evaluation.found[place] = 0xFF
        height = 16 if self.control & TALL else 8
        evaluation.restart()
        for step in range(96):
            evaluation.copied = evaluation.oam[evaluation.address]
            evaluation.look(step == 0, self.line, height)

    def _read_ahead(self) -> None:
        """What is read for the next line."""
        self.v = down(right(self.v, 32), 1) & ~0x041F | self.t & 0x041F
        self.units.zero = self.evaluation.zero
        for place in range(COUNT):
            self.read_sprite(place)
        self.evaluation.address, self.evaluation.place = 0, FOUND
        for column in range(321, 337):
            if column & 7 == 0:
                self.v = right(self.v, 1)
            self.read_tile(column)
            if column == 328:
                self._low_bits = self._low_bits << 8 & 0xFF00
                self._high_bits = self._high_bits << 8 & 0xFF00
        self.units.end_line(True)
        self._tile = self.fetch(0x2000 | self.v & 0x0FFF)
