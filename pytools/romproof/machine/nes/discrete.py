"""Boards of a few latches that homebrew and others use: mappers 28, 30, 66 and 71.

Sources: nesdev, the pages of these boards ("Action 53", "UNROM 512", "GxROM", "Camerica").
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import fields
from romproof.formats.ines import Ines
from romproof.machine.nes.mappers import KIB, Latch, Mapper

_BY_MAPPER, _FOUR_SCREENS = 0x08, 0x09
"""Bits 0 and 3 of byte 6 for UNROM 512: one screen that the mapper chooses, or four."""
_NO_CONFLICTS, _CONFLICTS, _ARRANGES, _HAS_LAMP = 1, 2, 3, 4
"""Submappers of UNROM 512; with 0 it is the battery that says whether there are conflicts. The
last one is the first with a lamp, whose register is where flash memory would be programmed."""


@fields()
class GxRom(Latch):
    """GNROM, MHROM (66): 32 KiB of program in bits 4 and 5, 8 KiB of graphics in bits 0 and 1.
    ROM and CPU drive the bus together."""

    fixed = False
    switches_graphics = True
    submappers = (0,)
    most_prg = 128 * KIB
    most_chr = 32 * KIB

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self.conflicts = True

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self._value >> 4 & 3

    def pattern(self, place: int) -> int:
        """See Mapper."""
        return 8 * (self._value & 3) + place

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        self._value = self._value & ~0x30 | (bank & 3) << 4


@fields()
class Camerica(Mapper):
    """BF9093 (71): 16 KiB at $8000 by writes from $C000 on, the last bank at $C000. BF9097
    (submapper 1) has one nametable, which bit 4 of a write to $8000 to $9FFF chooses. iNES does not
    tell them apart: there it is a write to $9000 to $9FFF that makes it one."""

    window = 0x4000
    registers = (0x8000, 0x10000)
    fixed = False
    switches_graphics = True
    submappers = (0, 1)
    most_prg = 256 * KIB

    _bank: int
    _screen: int
    _is_single: bool

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._is_single = header.submapper == 1
        self._from = 0x8000 if header.version == 2 else 0x9000
        self._may_be_single = int(header.submapper == 1 or header.version != 2)

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        if address >= 0xC000:
            self._bank = value & 0x0F
        elif self._may_be_single and self._from <= address < 0xA000:
            self._is_single, self._screen = True, value >> 4 & 1
        else:
            return False
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self.banks - 1 if window else self._bank

    def nametable(self, place: int) -> int:
        """See Mapper."""
        return self._screen if self._is_single else self._wired[place]

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 0:
            self._bank = bank


@fields()
class Unrom512(Latch):
    """UNROM 512 (30): 16 KiB at $8000, the last bank at $C000; 8 KiB of CHR RAM in bits 5 and 6;
    where it is wired so, bit 7 is the one nametable, or (submapper 3) how two are arranged.

    With a battery the program is in flash memory: the register is at $C000 then, and what
    is written from $8000 on, which would program the chip, does nothing here.
    """

    window = 0x4000
    fixed = False
    switches_graphics = True
    submappers = (0, 1, 2, 3, 4)
    most_prg = 512 * KIB
    most_chr = 32 * KIB
    silent_chr_ram = 32 * KIB

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        submapper = header.submapper
        self.conflicts = submapper == _CONFLICTS or (
            submapper not in (_NO_CONFLICTS, _HAS_LAMP) and not header.has_battery
        )
        self._has_flash = int(header.has_battery or submapper == _HAS_LAMP)
        self._arranges = int(submapper == _ARRANGES)
        self._is_single = int(header.wiring == _BY_MAPPER)
        if header.wiring == _FOUR_SCREENS:
            self._wired[:] = range(4)

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        if self._has_flash and address < 0xC000:
            return False
        self._value = value
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self.banks - 1 if window else self._value & 0x1F

    def pattern(self, place: int) -> int:
        """See Mapper."""
        return 8 * (self._value >> 5 & 3) + place

    def nametable(self, place: int) -> int:
        """See Mapper."""
        if self._arranges:
            return place & 1 if self._value & 0x80 else place >> 1
        return self._value >> 7 if self._is_single else self._wired[place]

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 0:
            self._value = self._value & ~0x1F | bank & 0x1F


_CHR, _INNER, _MODE, _OUTER = range(4)
"""The registers of Action 53, as numbered here: $00, $01, $80 and $81."""


@fields(words={"_values": 4})
class Action53(Mapper):
    """Action 53 (28): plays the parts of NROM, UNROM, AxROM and others, in a part of the program
    that an outer register chooses."""

    window = 0x4000
    registers = (0x8000, 0x10000)
    selector = (0x5000, 0x6000)
    fixed = False
    switches_graphics = True
    most_prg = 8192 * KIB
    most_chr = 32 * KIB
    silent_chr_ram = 32 * KIB

    _choice: int
    _values: MutableSequence[int]

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._values[_OUTER] = 0xFF  # the end of the program is in sight
        self._values[_MODE] = 2 if header.mirroring == "vertical" else 3

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        if address < 0x8000:
            self._choice = value >> 6 & 2 | value & 1
            return False
        choice = self._choice
        self._values[choice] = value
        if choice < _MODE and not self._values[_MODE] & 2:
            self._values[_MODE] = self._values[_MODE] & ~1 | value >> 4 & 1
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        mode = self._values[_MODE]
        inner = self._values[_INNER] & 0x0F
        outer = self._values[_OUTER] << 1
        if mode & 8:
            if window == mode >> 2 & 1:
                return outer | window  # the fixed one
        else:
            inner = inner << 1 | window
        mask = (2 << (mode >> 4 & 3)) - 1
        return outer & ~mask | inner & mask

    def pattern(self, place: int) -> int:
        """See Mapper."""
        return 8 * (self._values[_CHR] & 3) + place

    def nametable(self, place: int) -> int:
        """See Mapper."""
        mode = self._values[_MODE] & 3
        if mode < 2:
            return mode
        return place & 1 if mode == 2 else place >> 1

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        mode = self._values[_MODE]
        self._values[_OUTER] = bank >> 1
        if not mode & 8:
            self._values[_INNER] = self._values[_INNER] & 0xF0 | bank >> 1 & 0x0F
        elif window != mode >> 2 & 1:
            self._values[_INNER] = self._values[_INNER] & 0xF0 | bank & 0x0F
