"""The registers of the PPU, at $2000 to $3FFF, without a picture.

Sources: nesdev, "PPU registers", "PPU scrolling", "PPU OAM", "Open bus behavior". The address
register v is what the CPU makes it: the lines that are drawn do not move it.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import AddressSpace, Signals
from romproof.machine.nes.line_clock import LineClock
from romproof.machine.nes.mappers import Mapper
from romproof.machine.nes.mmc3 import Mmc3
from romproof.machine.nes.mmc5 import Mmc5
from romproof.machine.nes.mmc5_lines import Mmc5Lines
from romproof.machine.nes.regions import DOTS, Region
from romproof.machine.nes.vblank import Frames
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
_OVERFLOW = 0x20


@fields(words={"_bus_set": 8}, _copied=0x100)
class Ppu(Chip):
    """The registers. ``memory`` is what is on the PPU's own bus, ``oam`` its 256 bytes of sprites,
    ``frames`` the frame counter. ``warm_at`` is the cycle from which all registers can be
    written."""

    oam_address: int
    warm_at: int
    v: int
    t: int
    fine_x: int
    """The address, the next address or the place on the screen, pixels within a tile."""
    second: bool
    """Whether the next write to $2005 or $2006 is the second one."""
    _buffer: int
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
        self.frames = Frames(region, signals)
        self.oam = bytearray([fill]) * 0x100
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
            value = self._flags() | self._decay(cycle) & 0x1F
            self.frames.read_status(cycle, dot)
            self.second = False
            self._drive(value, cycle, 0xE0)
        elif register == _OAM_DATA:
            value = self._oam_in_sight(dot)
            self._drive(value, cycle)
        elif register == _DATA:
            value = self._read_data(cycle)
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
            self.memory.show()
        if register in _AFTER_WARM_UP and cycle < self.warm_at:
            return
        if register == _CONTROL:
            self.frames.write_control(value, cycle)
            self.t = self.t & ~0x0C00 | (value & 3) << 10
            self._relay(dot)
        elif register == _MASK:
            self.frames.write_mask(value, cycle)
            self._relay(dot)
        elif register == _OAM_ADDRESS:
            self.oam_address = value
        elif register == _OAM_DATA:
            self._write_oam(value, dot)
        elif register == _SCROLL:
            self._write_scroll(value)
        elif register == _ADDRESS:
            self._write_address(value, dot)
        elif register == _DATA:
            self.memory.write(self.v & 0x3FFF, value)
            self._step(dot)

    def peek(self, address: int, cycle: int) -> int:
        """What a read would bring in a cycle; nothing but the time changes."""
        dot = self.region.read_dot(cycle)
        self.catch_up(dot)
        register = address & 7
        if register == _STATUS:
            return self._flags() | self._decay(cycle) & 0x1F
        if register == _OAM_DATA:
            return self._oam_in_sight(dot)
        if register == _DATA:
            return self._data(cycle)
        return self._decay(cycle)

    def steady_until(self, address: int, value: int, cycle: int, mask: int) -> int:
        """Steady: of $2002, once vertical blank was read."""
        if address & 7 != _STATUS or value & 0x80:
            return cycle
        until = self.region.reading(self.frames.next_change - 1)
        return min(until, self._set_first + _DECAY) if value & 0x1F else until

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
        self.catch_up(self.region.write_dot(cycle))
        for place in range(0x100):
            into = self.oam_address + place & 0xFF
            mask = _NO_BITS_HERE if into & 3 == 2 else 0xFF
            self.oam[into] = self._copied[place] & mask
        self._drive(value, cycle, 0xFF)

    def catch_up(self, dot: int) -> None:
        """Bring all that is lazy up to a position."""
        if self.lines is not None:
            self.lines.catch_up(dot)
        self.frames.catch_up(dot)

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
        self.t = self.fine_x = self._buffer = 0
        self.second = False

    def _flags(self) -> int:
        frames = self.frames
        return frames.blank << 7 | frames.hit << 6

    def _oam_in_sight(self, dot: int) -> int:
        frames = self.frames
        if frames.drawing(dot) and 1 <= (dot - frames.start) % DOTS <= 64:
            return 0xFF  # the copy of the line's sprites is being cleared
        return self.oam[self.oam_address]

    def _write_oam(self, value: int, dot: int) -> None:
        if self.frames.drawing(dot):
            self.oam_address = self.oam_address + 4 & 0xFC
            return
        mask = _NO_BITS_HERE if self.oam_address & 3 == 2 else 0xFF
        self.oam[self.oam_address] = value & mask
        self.oam_address = self.oam_address + 1 & 0xFF

    def _write_scroll(self, value: int) -> None:
        if self.second:
            self.t = self.t & ~0x73E0 | (value & 0xF8) << 2 | (value & 7) << 12
        else:
            self.t = self.t & ~0x001F | value >> 3
            self.fine_x = value & 7
        self.second = not self.second

    def _write_address(self, value: int, dot: int) -> None:
        if self.second:
            self.t = self.t & 0x7F00 | value
            self.v = self.t
            self._put_address(dot)
        else:
            self.t = self.t & 0x00FF | (value & 0x3F) << 8
        self.second = not self.second

    def _data(self, cycle: int) -> int:
        """What $2007 gives: the buffer, or the palette at once."""
        address = self.v & 0x3FFF
        if address < PALETTE:
            return self._buffer
        grey = 0x30 if self.frames.mask & 1 else 0x3F
        return self.memory.palette[colour(address)] & grey | self._decay(cycle) & 0xC0

    def _read_data(self, cycle: int) -> int:
        value = self._data(cycle)
        self._drive(value, cycle, 0x3F if self.v & 0x3FFF >= PALETTE else 0xFF)
        self._buffer = self.memory.fetch(self.v & 0x3FFF)
        return value

    def _step(self, dot: int) -> None:
        """v after an access to $2007; in lines that are drawn it goes right and down."""
        if not self.frames.drawing(dot):
            self.v = self.v + (32 if self.frames.control & 4 else 1) & 0x7FFF
        else:
            self.v = _down(_right(self.v))
        self._put_address(dot)

    def _put_address(self, dot: int) -> None:
        if self.lines is not None and not self.frames.drawing(dot):
            self.lines.address(self.v, dot)

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


def _right(v: int) -> int:
    """v a tile to the right (nesdev, "PPU scrolling", "Wrapping around")."""
    return (v & ~0x001F) ^ 0x0400 if v & 0x1F == 0x1F else v + 1


def _down(v: int) -> int:
    """v a pixel down."""
    if v & 0x7000 != 0x7000:
        return v + 0x1000
    v &= ~0x7000
    row = v >> 5 & 0x1F
    if row == 29:
        v ^= 0x0800
    row = 0 if row in (29, 31) else row + 1
    return v & ~0x03E0 | row << 5
