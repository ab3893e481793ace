"""The registers of the PPU, at $2000 to $3FFF.

Sources: nesdev, "PPU registers", "PPU scrolling", "PPU OAM", "Open bus behavior". Nothing is drawn
here: what is written is noted for the picture (see picture/picture.py), which tells what lines that
are drawn have done to registers and flags.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import AddressSpace, Signals
from romproof.machine.nes.line_clock import LineClock
from romproof.machine.nes.mappers import Mapper
from romproof.machine.nes.mmc2 import Mmc2
from romproof.machine.nes.mmc3 import Mmc3
from romproof.machine.nes.mmc5 import Mmc5
from romproof.machine.nes.mmc5_lines import Mmc5Lines
from romproof.machine.nes.picture import log as kinds
from romproof.machine.nes.picture.picture import PpuPicture
from romproof.machine.nes.picture.replay import ADDRESS_DELAY
from romproof.machine.nes.regions import DOTS, Region
from romproof.machine.nes.scroll import down, right
from romproof.machine.nes.sprites import Sprites
from romproof.machine.nes.vblank import RENDERING, Frames
from romproof.machine.nes.video_memory import PALETTE, VideoMemory, colour

_CONTROL, _MASK, _STATUS, _OAM_ADDRESS, _OAM_DATA, _SCROLL, _ADDRESS, _DATA = range(8)
_AFTER_WARM_UP = frozenset({_CONTROL, _MASK, _SCROLL, _ADDRESS})
"""The registers that ignore writes until the PPU is warm."""
_NO_BITS_HERE = 0xE3
"""What of the third byte of a sprite exists."""
PPU_PAGES = range(0x20, 0x40)
"""The pages of the registers."""
_DECAY = 1_000_000
"""Cycles after which a bit on the PPU's bus has become 0: about 600 ms (ppu_open_bus)."""
_TALL = 0x20
"""The bit of $2000 that makes sprites of 16 lines."""
_COPIED = 257
"""The dot of a line in which v gets bits of t."""


@fields(words={"_bus_set": 8}, _copied=0x100)
class Ppu(Chip):
    """The registers. ``memory`` is what is on the PPU's own bus, ``oam`` its 256 bytes of sprites,
    ``frames`` the frame counter. ``warm_at`` is the cycle from which all registers can be
    written."""

    warm_at: int
    _bus: int
    _bus_set: MutableSequence[int]
    """The byte on the bus, and the cycle in which each of its bits was put there."""
    _copied: MutableSequence[int]
    """What DMA reads."""
    _set_first: int
    """The first of these cycles."""

    def __init__(
        self, region: Region, signals: Signals, memory: VideoMemory, mapper: Mapper, fill: int
    ) -> None:
        self.region = region
        self.memory = memory
        self.picture = PpuPicture(region, memory, fill)
        self.scroll = self.picture.scroll
        self.frames = Frames(region, signals, self.picture)
        self.sprites = Sprites(self.frames, self.picture, memory)
        self.oam = self.picture.oam
        self.has_latches = isinstance(mapper, Mmc2)
        self.warm_at = region.warm_up
        self.lines: LineClock | Mmc5Lines | None = None
        if isinstance(mapper, Mmc3):
            self.lines = LineClock(mapper, self.frames)
        elif isinstance(mapper, Mmc5):
            self.lines = Mmc5Lines(mapper, self.frames)
        self._mapper = mapper

    @property
    def vram(self) -> bytearray:
        """The memory of the nametables."""
        return self.memory.vram

    @property
    def palette(self) -> bytearray:
        """The 32 bytes of colours."""
        return self.memory.palette

    @property
    def chr(self) -> bytearray:
        """The patterns."""
        return self.memory.chr

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        dot = self.region.read_dot(cycle)
        self.catch_up(dot)
        register = address & 7
        if register == _STATUS:
            value = self._flags(dot) | self._decay(cycle) & 0x1F
            self.frames.read_status(cycle, dot)
            if self.scroll.second:
                self.scroll.second = False
                self.picture.note(kinds.STATUS, 0, 0, dot)
            self._drive(value, cycle, 0xE0)
        elif register == _OAM_DATA:
            value = self._oam_in_sight(dot)
            self._drive(value, cycle)
        elif register == _DATA:
            self._reach_memory(dot)
            value = self._read_data(cycle)
            self.picture.note(kinds.READ_DATA, 0, 0, dot)
            if self.has_latches:
                self.picture.note_banks(dot)
            self._step(dot)
        else:
            value = self._decay(cycle)
        return value

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        dot = self.region.write_dot(cycle)
        self.catch_up(dot)
        self._drive(value, cycle)
        register = address & 7
        if register == _CONTROL and self._mapper.hears(address, value):
            self.sprites.touch(dot)
            self.memory.show()
            self.picture.note_banks(dot)
        if register in _AFTER_WARM_UP and cycle < self.warm_at:
            return
        picture = self.picture
        if picture.is_odd:
            picture.ask(dot)
        self.sprites.touch(dot)
        if register == _CONTROL:
            self._scroll(dot, _COPIED)
            picture.note(kinds.CONTROL, address >> 8, value, dot)
            if (value ^ self.frames.control) & _TALL:
                self.sprites.touch_height(dot)
            self.frames.write_control(value, cycle)
            self.scroll.t = self.scroll.t & ~0x0C00 | (value & 3) << 10
            self._relay(dot)
        elif register == _MASK:
            self._write_mask(value, dot)
            self.frames.write_mask(value, cycle)
            self._relay(dot)
        elif register == _OAM_ADDRESS:
            self._reach_sprites(dot)
            picture.note(kinds.OAM_ADDRESS, 0, value, dot)
            picture.address = value
        elif register == _OAM_DATA:
            self._write_oam(value, dot)
        elif register == _SCROLL:
            self._scroll(dot, _COPIED)
            picture.note(kinds.SCROLL, address >> 8, value, dot)
            self.scroll.write_scroll(value)
        elif register == _ADDRESS:
            self._write_address(address >> 8, value, dot)
        elif register == _DATA:
            self._reach_memory(dot)
            place = self.scroll.v & 0x3FFF
            if place < PALETTE and self.memory.is_fixed(place):
                picture.note(kinds.READ_DATA, 0, 0, dot)
            else:
                picture.note(kinds.DATA, self.memory.place(place), value, dot)
            self.memory.write(place, value)
            self._step(dot)
        self.sprites.touched()

    def peek(self, address: int, cycle: int) -> int:
        """What a read would bring in a cycle; nothing but the time changes."""
        dot = self.region.read_dot(cycle)
        self.catch_up(dot)
        register = address & 7
        if register == _STATUS:
            return self._flags(dot) | self._decay(cycle) & 0x1F
        if register == _OAM_DATA:
            return self._oam_in_sight(dot)
        if register == _DATA:
            return self._data(cycle)
        return self._decay(cycle)

    def steady_until(self, address: int, value: int, cycle: int, mask: int) -> int:
        """Steady: of $2002, once vertical blank was read."""
        if address & 7 != _STATUS or value & 0x80:
            return cycle
        changes = self.sprites.next_change(self.region.read_dot(cycle))
        until = self.region.reading(min(changes, self.frames.next_change) - 1)
        return min(until, self._set_first + _DECAY) if value & 0x1F else until

    def before_banks(self, cycle: int) -> None:
        """Other graphics may come into sight by a write."""
        dot = self.region.write_dot(cycle)
        self.frames.catch_up(dot)
        self.sprites.touch(dot)

    def after_banks(self, cycle: int) -> None:
        """They may be in sight now."""
        self.picture.note_banks(self.region.write_dot(cycle))

    def dma(self, space: AddressSpace, page: int, cycle: int) -> None:
        """OAM DMA: 256 bytes into OAM, from its address on; two cycles for each, from registers of
        the PPU as well."""
        of_registers = PPU_PAGES.start <= page < PPU_PAGES.stop
        first = cycle + 2 + (cycle & 1)
        start = space.read_pages[page]
        value = 0
        for place in range(0x100):
            if of_registers:
                value = self._copied[place] = self.read(page << 8 | place, first + 2 * place)
            else:
                value = self._copied[place] = space.store[start + place]
        dot = self.region.write_dot(cycle)
        self.catch_up(dot)
        self._reach_sprites(dot)
        self.sprites.touch(dot)
        picture = self.picture
        changed = 0
        for place in range(0x100):
            into = picture.address + place & 0xFF
            byte = self._copied[place] & (_NO_BITS_HERE if into & 3 == 2 else 0xFF)
            changed |= byte ^ self.oam[into]
            self.oam[into] = byte
        if changed:
            self.sprites.flags.oam_changed = True
        picture.note_dma(dot)
        self._drive(value, cycle, 0xFF)

    def catch_up(self, dot: int) -> None:
        """Bring all that is lazy up to a position."""
        if self.lines is not None:
            self.lines.catch_up(dot)
        self.frames.catch_up(dot)

    @property
    def v(self) -> int:
        """The address that $2007 accesses, or where the PPU reads."""
        return self.scroll.v

    @property
    def oam_address(self) -> int:
        """Where in OAM $2004 accesses."""
        return self.picture.address

    def hit(self, cycle: int) -> tuple[int, int] | None:
        """The line and dot in which sprite 0 hits; see Nes."""
        dot = self.region.read_dot(cycle)
        self.catch_up(dot)
        return self.sprites.hit(dot)

    def note_changes(self, before: tuple[bytes, ...], cycle: int) -> None:
        """Somebody may have changed memory between two runs."""
        if before == self.picture.remember():
            return
        dot = self.region.read_dot(cycle)
        self.catch_up(dot)
        self.sprites.touch(dot)
        self.picture.note_changes(before, dot)
        self.sprites.flags.oam_changed = True
        self.sprites.touched()

    def due(self) -> int:
        """Clocked: when NMI falls, or the cartridge's counter of lines asks for an IRQ."""
        due = self.frames.nmi_due
        return due if self.lines is None else min(due, self.lines.due)

    def advance(self, cycle: int) -> None:
        """Clocked."""
        if self.lines is not None and self.due() <= cycle:
            # also when NMI falls: the frame goes on then, and lines are counted in their frame
            self.lines.catch_up(self.region.read_dot(cycle))
        self.frames.advance(cycle)

    def reset(self) -> None:
        """The reset line: registers are 0; OAM and its address, v and the flags stay."""
        self.frames.reset()
        self.scroll.t = self.scroll.fine_x = self.picture.buffer = 0
        self.scroll.second = False

    def _flags(self, dot: int) -> int:
        return self.frames.blank << 7 | self.sprites.look(dot)

    def _scroll(self, dot: int, column: int) -> None:
        """Move v to where it is before something is written that moves it. Where both happen in a
        dot only the beam knows what comes of it."""
        frames = self.frames
        if not self.picture.is_odd:
            frames.follow(dot)
            if frames.drawing(dot) and (dot - frames.start) % DOTS == column:
                self.sprites.leave(dot)

    def _reach_sprites(self, dot: int) -> None:
        """$2003 and $2004: while lines are drawn the address is elsewhere."""
        if self.picture.is_odd:
            self.picture.ask(dot)
        elif self.frames.drawing(dot):
            self.sprites.leave(dot)

    def _reach_memory(self, dot: int) -> None:
        """$2007: the same."""
        if self.picture.is_odd:
            self.picture.ask(dot)
        elif self.frames.drawing(dot):
            self.sprites.leave(dot)
        else:
            self.frames.follow(dot)

    def _write_mask(self, value: int, dot: int) -> None:
        frames, picture = self.frames, self.picture
        if not picture.is_odd:
            frames.follow(dot)
            switches = bool(value & RENDERING) != frames.rendering
            if switches and (picture.is_stale or not frames.is_between):
                self.sprites.leave(dot)
        picture.note(kinds.MASK, 0, value, dot)

    def _oam_in_sight(self, dot: int) -> int:
        picture = self.picture
        if self.frames.drawing(dot):
            self.sprites.leave(dot)
            return picture.tiles_of_sprites()
        if picture.is_odd:
            picture.ask(dot)
        return self.oam[picture.address]

    def _write_oam(self, value: int, dot: int) -> None:
        picture = self.picture
        self._reach_sprites(dot)
        if self.frames.drawing(dot):
            picture.note(kinds.OAM_DATA, picture.address, value, dot)
            picture.address = picture.address + 4 & 0xFC
            return
        byte = value & (_NO_BITS_HERE if picture.address & 3 == 2 else 0xFF)
        picture.note(kinds.OAM_DATA, picture.address, byte, dot)
        self.oam[picture.address] = byte
        self.sprites.flags.oam_changed = True
        picture.address = picture.address + 1 & 0xFF

    def _write_address(self, floating: int, value: int, dot: int) -> None:
        frames, scroll, picture = self.frames, self.scroll, self.picture
        if not scroll.second:
            self._scroll(dot, _COPIED)
            picture.note(kinds.ADDRESS, floating, value, dot)
            scroll.write_address(value)
            return
        if frames.drawing(dot) and not picture.is_odd:
            column = (dot + ADDRESS_DELAY - frames.start) % DOTS
            if column == _COPIED or column & 7 == 0:
                self.sprites.leave(dot)
        picture.note(kinds.ADDRESS, floating, value, dot)
        if not picture.is_odd:
            frames.follow(dot + ADDRESS_DELAY)
        scroll.write_address(value)
        self._put_address(dot)

    def _data(self, cycle: int) -> int:
        """What $2007 gives: the buffer, or the palette at once."""
        address = self.scroll.v & 0x3FFF
        if address < PALETTE:
            return self.picture.buffer
        grey = 0x30 if self.frames.mask & 1 else 0x3F
        return self.memory.palette[colour(address)] & grey | self._decay(cycle) & 0xC0

    def _read_data(self, cycle: int) -> int:
        address = self.scroll.v & 0x3FFF
        value = self._data(cycle)
        self._drive(value, cycle, 0x3F if address >= PALETTE else 0xFF)
        self.picture.buffer = self.memory.fetch(address)
        return value

    def _step(self, dot: int) -> None:
        """v after an access to $2007; in lines that are drawn it goes right and down."""
        scroll = self.scroll
        if not self.frames.drawing(dot):
            scroll.v = scroll.v + (32 if self.frames.control & 4 else 1) & 0x7FFF
        else:
            scroll.v = down(right(scroll.v, 1), 1)
        self._put_address(dot)

    def _put_address(self, dot: int) -> None:
        if self.lines is not None and not self.frames.drawing(dot):
            self.lines.address(self.scroll.v, dot)

    def _relay(self, dot: int) -> None:
        if self.lines is not None:
            self.lines.schedule(dot)

    def _drive(self, value: int, cycle: int, bits: int = 0xFF) -> None:
        """Something is on the PPU's data bus, which keeps it for a while."""
        if bits == 0xFF:
            self._bus = value
        else:
            self._bus = self._decay(cycle) & ~bits | value & bits
        first = cycle
        for bit in range(8):
            if bits >> bit & 1:
                self._bus_set[bit] = cycle
            first = min(first, self._bus_set[bit])
        self._set_first = first

    def _decay(self, cycle: int) -> int:
        """What is left on the PPU's data bus."""
        oldest = cycle - _DECAY
        if self._set_first < oldest:
            for bit in range(8):
                if self._bus_set[bit] < oldest:
                    self._bus &= ~(1 << bit)
        return self._bus
