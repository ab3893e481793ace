"""The types of sections: which memory of the Game Boy each is.

Numbers, addresses and banks are those of rgbds(5) and rgbasm(5), "SECTIONS".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class SectionType(IntEnum):
    """A kind of memory; the value is its number in object files."""

    WRAM0 = 0
    VRAM = 1
    ROMX = 2
    ROM0 = 3
    HRAM = 4
    WRAMX = 5
    SRAM = 6
    OAM = 7

    @property
    def has_data(self) -> bool:
        """Whether such a section has contents in the image; RAM has none."""
        return self in (SectionType.ROM0, SectionType.ROMX)

    @property
    def memory(self) -> MemoryRegion:
        """Addresses and banks of the type, without any of the linker's options."""
        return MEMORIES[self]


@dataclass(frozen=True, slots=True)
class MemoryRegion:
    """``size`` bytes from address ``start`` in each of the banks ``first_bank``..``last_bank``."""

    start: int
    size: int
    first_bank: int = 0
    last_bank: int = 0

    @property
    def end(self) -> int:
        """The first address after it."""
        return self.start + self.size

    @property
    def has_banks(self) -> bool:
        """Whether there is more than one bank."""
        return self.first_bank != self.last_bank


MEMORIES = {
    SectionType.WRAM0: MemoryRegion(0xC000, 0x1000),
    SectionType.VRAM: MemoryRegion(0x8000, 0x2000, 0, 1),
    SectionType.ROMX: MemoryRegion(0x4000, 0x4000, 1, 65535),
    SectionType.ROM0: MemoryRegion(0x0000, 0x4000),
    SectionType.HRAM: MemoryRegion(0xFF80, 0x7F),
    SectionType.WRAMX: MemoryRegion(0xD000, 0x1000, 1, 7),
    SectionType.SRAM: MemoryRegion(0xA000, 0x2000, 0, 255),
    SectionType.OAM: MemoryRegion(0xFE00, 0xA0),
}
"""By type. The linker's options change ROM0 (-t), WRAM0 and WRAMX (-w, -d) and VRAM (-d)."""
