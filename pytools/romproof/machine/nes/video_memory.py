"""What the PPU sees at its own addresses: patterns, nametables, palette."""

from __future__ import annotations

from romproof.machine.nes.mappers import KIB, Mapper

PALETTE = 0x3F00
"""Where the palette begins in the PPU's 16 KiB; it repeats every 32 bytes."""
_NAMETABLES = 0x2000


class VideoMemory:
    """The memory on the PPU's bus. ``vram`` holds the nametables, ``palette`` the colours,
    ``chr`` the patterns: bytes when they are ROM, a bytearray when the cartridge has RAM."""

    def __init__(self, mapper: Mapper, chr: bytes, fill: int) -> None:
        header = mapper.header
        self.mapper = mapper
        self.vram = bytearray([fill]) * (4 * KIB if header.mirroring == "four-screen" else 2 * KIB)
        self.palette = bytearray([fill & 0x3F]) * 0x20
        size = header.chr_ram + header.chr_nvram
        self.chr: bytes | bytearray = chr or bytearray([fill]) * (size or 8 * KIB)

    def read(self, address: int) -> int:
        """The byte at an address of 14 bits; below the palette are nametables, which this
        gives."""
        if address < _NAMETABLES:
            return self.chr[self._pattern(address)]
        return self.vram[self._place(address)]

    def write(self, address: int, value: int) -> None:
        """Change a byte, of the palette too."""
        if address >= PALETTE:
            self.palette[colour(address)] = value & 0x3F
        elif address >= _NAMETABLES:
            self.vram[self._place(address)] = value
        elif isinstance(self.chr, bytearray):
            self.chr[self._pattern(address)] = value

    def nametable(self, number: int) -> bytes:
        """The 1 KiB of a nametable (0..3) as it is in sight."""
        start = _NAMETABLES + number * KIB
        return bytes(self.vram[self._place(start + i)] for i in range(KIB))

    def _place(self, address: int) -> int:
        number = self.mapper.sight().nametables[address >> 10 & 3]
        return (number * KIB + (address & 0x3FF)) % len(self.vram)

    def _pattern(self, address: int) -> int:
        bank = self.mapper.sight().chr[address >> 10]
        return (bank * KIB + (address & 0x3FF)) % len(self.chr)


def colour(address: int) -> int:
    """Where in the palette an address is: the four backdrops of sprites are those of tiles."""
    place = address & 0x1F
    return place & 0x0F if place & 0x13 == 0x10 else place
