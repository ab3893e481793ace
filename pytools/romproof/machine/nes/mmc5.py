"""MMC5 (mapper 5): its registers, what they put in sight, its multiplier and its sound's status.

Sources: nesdev, "MMC5"; Mesen 2 where that leaves a choice. When its lines count is said in
``mmc5_lines``.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import fields
from romproof.formats.ines import Ines
from romproof.machine.nes.apu import LENGTHS
from romproof.machine.nes.lines import MAPPER
from romproof.machine.nes.mappers import (
    IN_ROM,
    KIB,
    NO_BLOCK,
    NO_RAM,
    RAM_READ,
    RAM_WRITTEN,
    Mapper,
)

_BLOCK = 8 * KIB
_LARGE = 64 * KIB
"""From this size on cartridge RAM is one chip, whose blocks are all numbered."""
_SILENT_RAM = 64 * KIB
"""What iNES headers, whose byte 8 is seldom right for this board, are taken to mean."""
_VECTOR = 0xFFFA
"""Where the CPU reads when it serves NMI, by which the chip notices that the frame is over."""
_CONTROL = 0x2000
_SOUND_TICK = 7457
"""Cycles of a 240th of a second, in which length counters count."""


@fields(words={"_prg": 5, "_chr": 12, "_lengths": 2, "_halted": 2})
class Mmc5(Mapper):
    """ExROM (5): windows of 8, 16 or 32 KiB of ROM or RAM, 1 to 8 KiB of graphics, 1 KiB of RAM in
    the chip, nametables of four sources, an IRQ at a line, a multiplier."""

    window = 0x2000
    selector = (0x5000, 0x6000)
    readable = ((0x5000, 0x5C00), (_VECTOR, _VECTOR + 2))
    fixed = False
    switches_graphics = True
    most_prg = most_chr = 1024 * KIB
    has_irq = True
    shows_ram = True
    silent_prg_ram = _SILENT_RAM
    ram_sizes = tuple(size * KIB for size in (8, 16, 32, 64, 128))
    """Bytes of the chips of cartridge RAM there may be."""

    _prg_mode: int
    _prg: MutableSequence[int]
    """$5113 to $5117."""
    _chr_mode: int
    _chr: MutableSequence[int]
    """$5120 to $512B, each with the upper bits that $5130 had: eight, then the four that are of
    the background when sprites are 16 pixels high."""
    _chr_upper: int
    _background: bool
    """Whether a register of the background's was written last."""
    _high_sprites: bool
    _key: int
    _other_key: int
    """$5102 and $5103, which protect RAM unless they are 2 and 1."""
    expansion_mode: int
    _nametables: int
    fill_tile: int
    fill_colour: int
    target: int
    """The line of the IRQ; 0 for none."""
    counter: int
    enabled: bool
    pending: bool
    in_frame: bool
    _factor: int
    _other_factor: int
    _lengths: MutableSequence[int]
    _halted: MutableSequence[int]
    _sound: int
    _sound_at: int
    """$5015, and the cycle up to which the lengths have counted."""

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._prg_mode = 3
        self._prg[4] = 0xFF
        # one chip whose blocks are all numbered, or two of up to four blocks
        sizes = (header.prg_nvram, header.prg_ram)
        total = sum(sizes)
        if header.version != 2:
            total = self.silent_prg_ram
            sizes = (total, 0)
        elif not all(sizes):
            sizes = (_BLOCK, _BLOCK) if total == 2 * _BLOCK else (total, 0)
        self._is_large = int(max(sizes) >= _LARGE)
        self._first = sizes[0] // _BLOCK
        self._second = sizes[1] // _BLOCK
        self._has_ram = bool(total)

    @property
    def unprotected(self) -> tuple[int, int]:
        """See Mapper: where RAM may be in sight."""
        return (0x8000, 0xE000) if self._has_ram else (0, 0)

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        if address < 0x5100:
            self._write_sound(address, value, cycle)
        elif address < 0x5200:
            return self._write_bank(address, value)
        elif address == 0x5203:
            self.target = value
        elif address == 0x5204:
            self.enabled = bool(value & 0x80)
            if self.line is not None:
                if not self.enabled:
                    self.line.release(MAPPER)
                elif self.pending:
                    self.line.hold(MAPPER, cycle)
        elif address == 0x5205:
            self._factor = value
        elif address == 0x5206:
            self._other_factor = value
        return False

    def read(self, address: int, value: int, cycle: int) -> int:
        """See Mapper."""
        seen = self.peek(address, value, cycle)
        if address == 0x5204:
            self._acknowledge()
        elif address >= _VECTOR:
            self.in_frame = False
            self.counter = 0
            self._acknowledge()
        return seen

    def peek(self, address: int, value: int, cycle: int) -> int:
        """See Mapper."""
        if address == 0x5204:
            return self.pending << 7 | self.in_frame << 6
        if address == 0x5205:
            return self._factor * self._other_factor & 0xFF
        if address == 0x5206:
            return self._factor * self._other_factor >> 8
        if address == 0x5015:
            self._count_lengths(cycle)
            return int(self._lengths[0] > 0) | int(self._lengths[1] > 0) << 1
        return 0 if address == 0x5010 else value

    def hears(self, address: int, value: int) -> bool:
        """See Mapper. Only at $2000 itself: it does not know where the PPU's registers repeat."""
        if address != _CONTROL:
            return False
        self._high_sprites = bool(value & 0x20)
        if not self._high_sprites:
            self._background = False
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        size = 4 >> self._size_of(window)
        return self._prg[1 + self._register(window)] & 0x7F & ~(size - 1) | window & (size - 1)

    def block(self, window: int) -> int:
        """See Mapper."""
        register = self._register(window)
        value = self._prg[1 + register]
        if register == 3 or value & 0x80:
            return IN_ROM
        size = 4 >> self._size_of(window)
        return self._ram_block(value & ~(size - 1) | window & (size - 1))

    def in_sight(self) -> tuple[int, ...]:
        """See Mapper; -1 where RAM is in sight, or nothing."""
        return tuple(
            self.prg(window) % self.banks if self.block(window) == IN_ROM else -1
            for window in range(4)
        )

    def ram(self) -> int:
        """See Mapper."""
        if self._ram_block(self._prg[0]) == NO_BLOCK:
            return NO_RAM
        return RAM_WRITTEN if self._key == 2 and self._other_key == 1 else RAM_READ

    def ram_bank(self) -> int:
        """See Mapper."""
        return max(0, self._ram_block(self._prg[0]))

    def takes_writes(self) -> bool:
        """See Mapper."""
        return self._key == 2 and self._other_key == 1

    def pattern(self, place: int) -> int:
        """See Mapper."""
        size = 8 >> self._chr_mode
        register = place | size - 1
        if self._high_sprites and self._background:
            register = 8 + (register & 3)
        return self._chr[register] * size + (place & size - 1)

    def nametable(self, place: int) -> int:
        """See Mapper: one of the two in the console, the chip's RAM, or what fills."""
        return self._nametables >> 2 * place & 3

    def filled(self, offset: int) -> int:
        """A byte of the nametable that is the same everywhere."""
        return self.fill_tile if offset < 0x3C0 else self.fill_colour * 0x55

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        register = self._register(window)
        self._prg[1 + register] = 0x80 | bank

    def _register(self, window: int) -> int:
        """Which of $5114 to $5117 a window goes by."""
        mode = self._prg_mode
        if mode == 0:
            return 3
        return window | 1 if mode == 1 or (mode == 2 and window < 2) else window

    def _size_of(self, window: int) -> int:
        """How often 32 KiB are halved for a window."""
        return 1 if self._prg_mode == 2 and window < 2 else min(self._prg_mode, 2)

    def _ram_block(self, number: int) -> int:
        """The block of RAM that a register means; NO_BLOCK where no chip is."""
        if self._is_large:
            return (number & 0x0F) % self._first if self._first else NO_BLOCK
        if number & 4:
            return self._first + (number & 3) % self._second if self._second else NO_BLOCK
        return (number & 3) % self._first if self._first else NO_BLOCK

    def _write_bank(self, address: int, value: int) -> bool:
        if address == 0x5100:
            self._prg_mode = value & 3
        elif address == 0x5101:
            self._chr_mode = value & 3
        elif address == 0x5102:
            self._key = value & 3
        elif address == 0x5103:
            self._other_key = value & 3
        elif address == 0x5104:
            self.expansion_mode = value & 3
        elif address == 0x5105:
            self._nametables = value
        elif address == 0x5106:
            self.fill_tile = value
        elif address == 0x5107:
            self.fill_colour = value & 3
        elif 0x5113 <= address < 0x5118:
            self._prg[address - 0x5113] = value
        elif 0x5120 <= address < 0x512C:
            self._chr[address - 0x5120] = value | self._chr_upper << 8
            self._background = self._high_sprites and address >= 0x5128
        elif address == 0x5130:
            self._chr_upper = value & 3
            return False
        return True

    def _acknowledge(self) -> None:
        self.pending = False
        if self.line is not None:
            self.line.release(MAPPER)

    def _write_sound(self, address: int, value: int, cycle: int) -> None:
        self._count_lengths(cycle)
        channel = address >> 2 & 1
        if address == 0x5015:
            self._sound = value
            for number in range(2):
                if not value >> number & 1:
                    self._lengths[number] = 0
        elif address < 0x5008:
            if address & 3 == 0:
                self._halted[channel] = value & 0x20
            elif address & 3 == 3 and self._sound >> channel & 1:
                self._lengths[channel] = LENGTHS[value >> 3]

    def _count_lengths(self, cycle: int) -> None:
        ticks = cycle // _SOUND_TICK - self._sound_at // _SOUND_TICK
        self._sound_at = cycle
        for number in range(2):
            if not self._halted[number]:
                self._lengths[number] = max(0, self._lengths[number] - ticks)
