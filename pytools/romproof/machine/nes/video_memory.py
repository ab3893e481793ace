"""What the PPU sees at its own addresses: patterns, nametables, palette."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.machine.nes.mappers import KIB, Mapper
from romproof.machine.nes.mmc5 import Mmc5

PALETTE = 0x3F00
"""Where the palette begins in the PPU's 16 KiB; it repeats every 32 bytes."""
_NAMETABLES = 0x2000
AT_VRAM, AT_PALETTE = 0x800000, 0x900000
"""Where the parts of this memory begin for those who count it in one: patterns are first."""


@fields(words={"patterns": 8, "nametables": 4})
class VideoMemory(Chip):
    """The memory on the PPU's bus. ``vram`` holds the nametables, ``palette`` the colours,
    ``chr`` the patterns, ROM or RAM."""

    patterns: MutableSequence[int]
    """Where the 1 KiB of each eighth of the patterns is in ``chr``."""
    nametables: MutableSequence[int]
    """The same of the nametables in ``vram``."""
    _chr_size: int
    _vram_size: int

    def __init__(self, mapper: Mapper, chr: bytes, fill: int) -> None:
        header = mapper.header
        has_four = max(mapper.nametable(place) for place in range(4)) > 1
        self.vram = bytearray([fill]) * (4 * KIB if has_four else 2 * KIB)
        self.palette = bytearray([fill & 0x3F]) * 0x20
        self._is_rom = bool(chr)
        size = header.chr_ram + header.chr_nvram if header.version == 2 else 0
        self.chr = bytearray(chr) or bytearray([fill]) * (size or mapper.silent_chr_ram)
        self._chr_size, self._vram_size = len(self.chr), len(self.vram)
        self._mapper = mapper
        self.show()

    @property
    def rom(self) -> tuple[bytearray, ...]:
        """What of this memory no program can change."""
        return (self.chr,) if self._is_rom else ()

    def show(self) -> None:
        """Other banks may have come into sight."""
        for place in range(8):
            self.patterns[place] = self._mapper.pattern(place) * KIB % self._chr_size
        for place in range(4):
            self.nametables[place] = self._mapper.nametable(place) * KIB % self._vram_size

    def read(self, address: int) -> int:
        """The byte at an address of 14 bits; below the palette are nametables, which this
        gives."""
        if address < _NAMETABLES:
            return self.chr[self._pattern(address)]
        return self.read_nametable(address)

    def fetch(self, address: int) -> int:
        """The same for the CPU, by $2007: a mapper may see the address."""
        value = self.read(address)
        if address < _NAMETABLES and self._mapper.sees(address):
            self.show()
        return value

    def write(self, address: int, value: int) -> None:
        """Change a byte, of the palette too."""
        if address >= PALETTE:
            self.palette[colour(address)] = value & 0x3F
        elif address >= _NAMETABLES:
            self.write_nametable(address, value)
        elif not self._is_rom:
            self.chr[self._pattern(address)] = value

    def is_fixed(self, address: int) -> bool:
        """Whether no program changes the byte at an address, as it is ROM."""
        return self._is_rom and address < _NAMETABLES

    def place(self, address: int) -> int:
        """Where the byte at an address is, as the picture's log counts it."""
        if address >= PALETTE:
            return AT_PALETTE + colour(address)
        if address >= _NAMETABLES:
            return AT_VRAM + self._place(address)
        return self._pattern(address)

    def nametable(self, number: int) -> bytes:
        """The 1 KiB of a nametable (0..3) as it is in sight."""
        start = _NAMETABLES + number * KIB
        return bytes(self.read_nametable(start + i) for i in range(KIB))

    def read_nametable(self, address: int) -> int:
        """The byte at an address of a nametable."""
        return self.vram[self._place(address)]

    def write_nametable(self, address: int, value: int) -> None:
        """Change a byte of a nametable."""
        self.vram[self._place(address)] = value

    def _place(self, address: int) -> int:
        return self.nametables[address >> 10 & 3] + (address & 0x3FF)

    def _pattern(self, address: int) -> int:
        return self.patterns[address >> 10] + (address & 0x3FF)


@fields()
class Mmc5VideoMemory(VideoMemory):
    """With an MMC5, whose nametables may also be the RAM in the chip, or the same tile everywhere.

    ``store`` is the memory that has that RAM, from ``expansion`` on.
    """

    def __init__(
        self, mapper: Mmc5, chr: bytes, fill: int, store: bytearray, expansion: int
    ) -> None:
        super().__init__(mapper, chr, fill)
        self._mmc5 = mapper
        self._store, self._expansion = store, expansion

    def is_fixed(self, address: int) -> bool:
        """See VideoMemory; what is not the console's is not in its picture."""
        if address < _NAMETABLES:
            return self._is_rom
        return self._mmc5.nametable(address >> 10 & 3) >= 2

    def read_nametable(self, address: int) -> int:
        """See VideoMemory. The chip's RAM is 0 here while it is the CPU's."""
        source = self._mmc5.nametable(address >> 10 & 3)
        offset = address & 0x3FF
        if source < 2:
            return self.vram[self._place(address)]
        if source == 2:
            return self._store[self._expansion + offset] if self._mmc5.expansion_mode < 2 else 0
        return self._mmc5.filled(offset)

    def write_nametable(self, address: int, value: int) -> None:
        """See VideoMemory."""
        source = self._mmc5.nametable(address >> 10 & 3)
        if source < 2:
            self.vram[self._place(address)] = value
        elif source == 2 and self._mmc5.expansion_mode < 2:
            self._store[self._expansion + (address & 0x3FF)] = value


def colour(address: int) -> int:
    """Where in the palette an address is: the four backdrops of sprites are those of tiles."""
    place = address & 0x1F
    return place & 0x0F if place & 0x13 == 0x10 else place
