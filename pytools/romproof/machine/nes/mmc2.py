"""MMC2 (mapper 9), and Namco's and Tengen's boards that MMC3 came from (mapper 206).

Sources: nesdev, "MMC2" and "INES Mapper 206".
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import fields
from romproof.formats.ines import Ines
from romproof.machine.nes.mappers import KIB, Mapper

_TILES = (0x0FD8, 0x0FE8)
"""Where the second half of tiles $FD and $FE begins."""


@fields(words={"_chr": 4})
class Mmc2(Mapper):
    """PxROM (9): 8 KiB at $8000, the last three banks behind it.

    Each half of graphics has two registers, of which the PPU chooses one by reading tile $FD or
    $FE. No tile is drawn here, so that only reads by $2007 do that.
    """

    window = 0x2000
    registers = (0xA000, 0x10000)
    fixed = False
    switches_graphics = True
    most_prg = most_chr = 128 * KIB

    _bank: int
    _chr: MutableSequence[int]
    """The registers from $B000 on: of the left half after $FD and $FE, of the right half."""
    _is_horizontal: bool
    _left: int
    _right: int
    """Which register each half has: 0 after $FD, 1 after $FE."""

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._is_horizontal = header.mirroring != "vertical"
        self._left = self._right = 1

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        register = address >> 12
        if register == 0x0A:
            self._bank = value & 0x0F
        elif register == 0x0F:
            self._is_horizontal = bool(value & 1)
        else:
            self._chr[register - 0x0B] = value & 0x1F
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self.banks - 4 + window if window else self._bank

    def pattern(self, place: int) -> int:
        """See Mapper."""
        register = 2 + self._right if place & 4 else self._left
        return 4 * self._chr[register] + (place & 3)

    def sees(self, address: int) -> bool:
        """See Mapper. In the left half it is one address that counts, in the right one eight."""
        tile = address & 0x0FF8
        if tile not in _TILES or (address < 0x1000 and address & 7):
            return False
        latch = int(tile == _TILES[1])
        if address < 0x1000:
            self._left = latch
        else:
            self._right = latch
        return True

    def nametable(self, place: int) -> int:
        """See Mapper."""
        return place >> 1 if self._is_horizontal else place & 1

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 0:
            self._bank = bank & 0x0F


@fields(words={"_chosen": 8})
class DxRom(Mapper):
    """DxROM (206): two windows of 8 KiB and six of graphics, as on an MMC3 without its mode bits,
    mirroring and IRQ. On submapper 1 the program is not banked."""

    window = 0x2000
    registers = (0x8000, 0xA000)
    fixed = False
    switches_graphics = True
    submappers = (0, 1)
    most_prg = 128 * KIB
    most_chr = 64 * KIB

    _choice: int
    _chosen: MutableSequence[int]

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._chosen[:] = [0, 2, 4, 5, 6, 7, 0, 1]
        self._is_banked = int(header.submapper != 1)

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        if not address & 1:
            self._choice = value & 7
            return False
        self._chosen[self._choice] = value & (0x3F if self._choice < 6 else 0x0F)
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        if not self._is_banked:
            return window
        return self.banks - 4 + window if window & 2 else self._chosen[6 + window]

    def pattern(self, place: int) -> int:
        """See Mapper."""
        if place < 4:
            return self._chosen[place >> 1] & ~1 | place & 1
        return self._chosen[place - 2]

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window < 2:
            self._chosen[6 + window] = bank
