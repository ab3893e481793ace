"""The boards in cartridges: writes to ROM addresses choose which banks are in sight.

A mapper is its registers; it says what they mean. Sources: nesdev, the pages of mappers 0 to 4
and 7; Mesen 2 where they leave a choice. What a name in parentheses stands for: iNES numbers
whole families of boards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from romproof.formats.ines import Ines
from romproof.machine.board import BoardError
from romproof.machine.saved import copied, put_back

KIB = 0x400
HORIZONTAL, VERTICAL, FOUR_SCREEN = (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 2, 3)
"""Which of the PPU's 1 KiB memories each of the four nametables is."""
ONE_SCREEN = ((0, 0, 0, 0), (1, 1, 1, 1))
_WIRED = {"horizontal": HORIZONTAL, "vertical": VERTICAL, "four-screen": FOUR_SCREEN}
_CONFLICTS = 2
"""The submapper of 2, 3 and 7 on which ROM and CPU both drive the bus during a write."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What is in sight: ``prg`` has the bank in each window, ``chr`` that of 1 KiB in each eighth
    of the patterns, ``nametables`` what each is. Numbers may be larger than there are banks: they
    wrap around. ``ram``: whether RAM at $6000 can be read; ``ram_writes``: and written.
    """

    prg: tuple[int, ...]
    chr: tuple[int, ...]
    nametables: tuple[int, int, int, int]
    ram: bool = True
    ram_writes: bool = True


class Mapper:
    """NROM (0): no registers, 16 or 32 KiB of program, 8 KiB of graphics."""

    window = 0x8000
    """Bytes of PRG in each window."""
    registers = (0, 0)
    """The addresses of its registers, the end not included."""
    fixed = True
    """Whether what the CPU sees always stays in sight."""

    def __init__(self, header: Ines) -> None:
        self.header = header
        self.nametables = _WIRED[header.mirroring]
        self.conflicts = False

    @property
    def banks(self) -> int:
        """How many banks there are of the size of a window."""
        return -(-self.header.prg_size // self.window)

    def write(self, address: int, value: int, cycle: int) -> None:
        """A write to ``registers``."""

    def sight(self) -> Sight:
        """What is in sight now."""
        return Sight((0,), _eight(0), self.nametables)

    def select(self, window: int, bank: int) -> None:
        """Change the registers so that a bank comes into sight there, if they can do that."""

    def shown(self, sight: Sight) -> tuple[int, ...]:
        """The numbers of the banks in the windows."""
        return tuple(bank % self.banks for bank in sight.prg)


class Mmc1(Mapper):
    """MMC1 (1): registers are written a bit at a time, the lowest first. With more than 256 KiB
    of program, a bit of the first register of graphics is the upper half."""

    window = 0x4000
    registers = (0x8000, 0x10000)
    fixed = False

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._control, self._chr, self._prg = 0x0C, [0, 0], 0
        self._shift, self._count = 0, 0
        self._last = -2

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper. Of writes in consecutive cycles only the first counts: of those that change
        memory (``inc``) the one that writes back what was there."""
        consecutive = cycle == self._last + 1
        self._last = cycle
        if consecutive:
            return
        if value & 0x80:
            self._shift = self._count = 0
            self._control |= 0x0C
            return
        self._shift |= (value & 1) << self._count
        self._count += 1
        if self._count == 5:
            self._set(address >> 13 & 3, self._shift)
            self._shift = self._count = 0

    def sight(self) -> Sight:
        """See Mapper."""
        outer = self._chr[0] & 0x10 if self.header.prg_size > 256 * KIB else 0
        bank = self._prg & 0x0F | outer
        last = outer | 0x0F
        low, high = (
            (bank & ~1, bank | 1), (bank & ~1, bank | 1), (outer, bank), (bank, last)
        )[self._control >> 2 & 3]  # fmt: skip
        first, second = self._chr if self._control & 0x10 else (self._chr[0] & ~1, self._chr[0] | 1)
        chr = tuple(4 * first + i for i in range(4)) + tuple(4 * second + i for i in range(4))
        nametables = (*ONE_SCREEN, VERTICAL, HORIZONTAL)[self._control & 3]
        ram = not self._prg & 0x10
        return Sight((low, high), chr, nametables, ram, ram)

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if self.header.prg_size > 256 * KIB:
            self._chr[0] = self._chr[0] & ~0x10 | bank & 0x10
        self._prg = self._prg & 0x10 | bank & 0x0F

    def _set(self, register: int, value: int) -> None:
        if register == 0:
            self._control = value
        elif register == 3:
            self._prg = value
        else:
            self._chr[register - 1] = value


class Latch(Mapper):
    """A board whose only register is the byte last written to ROM's addresses; where the header
    says so, ROM and CPU drive the bus together (NES 2.0, submapper 2)."""

    registers = (0x8000, 0x10000)

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self.conflicts = header.submapper == _CONFLICTS
        self._value = 0

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        self._value = value


class UxRom(Latch):
    """UNROM, UOROM (2): 16 KiB at $8000, the last bank at $C000."""

    window = 0x4000
    fixed = False

    def sight(self) -> Sight:
        """See Mapper."""
        return Sight((self._value, self.banks - 1), _eight(0), self.nametables)

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 0:
            self._value = bank


class CnRom(Latch):
    """CNROM (3): 8 KiB of graphics."""

    def sight(self) -> Sight:
        """See Mapper."""
        return Sight((0,), _eight(self._value), self.nametables)


class AxRom(Latch):
    """ANROM, AMROM, AOROM (7): 32 KiB, and a bit that is the one nametable."""

    fixed = False

    def sight(self) -> Sight:
        """See Mapper."""
        return Sight((self._value & 0x0F,), _eight(0), ONE_SCREEN[self._value >> 4 & 1])

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        self._value = self._value & 0x10 | bank & 0x0F


def show(mapper: Mapper, window: int, bank: int) -> None:
    """Bring a bank into sight by the registers.

    Raises BoardError, and changes nothing, when that cannot be.
    """
    windows = len(mapper.sight().prg)
    if not 0 <= window < windows:
        raise BoardError(f"no window {window}: this cartridge has {windows}, numbered from 0")
    if not 0 <= bank < mapper.banks:
        raise BoardError(f"no bank {bank}: this cartridge has {mapper.banks}, numbered from 0")
    shown = mapper.shown(mapper.sight())[window]
    if shown == bank:
        return
    shared = [value for name, value in vars(mapper).items() if name in ("header", "line")]
    before = copied([mapper], shared)
    mapper.select(window, bank)
    if mapper.shown(mapper.sight())[window] != bank:
        put_back([mapper], before, shared)
        raise BoardError(
            f"bank {bank} cannot be shown at ${0x8000 + window * mapper.window:04X} as the "
            f"cartridge's registers are now: bank {shown} is there"
        )


@cache
def _eight(bank: int) -> tuple[int, ...]:
    """The 1 KiB banks of a bank of 8 KiB."""
    return tuple(8 * bank + i for i in range(8))
