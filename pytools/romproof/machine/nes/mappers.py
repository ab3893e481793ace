"""The boards in cartridges: writes to ROM addresses choose which banks are in sight.

A mapper is its registers; it says what they mean: which banks are in sight, by numbers that may be
larger than there are banks, as they wrap around. Sources: nesdev, the pages of mappers 0 to 4
and 7; Mesen 2 where they leave a choice. What a name in parentheses stands for: iNES numbers
whole families of boards.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.formats.ines import Ines
from romproof.machine.board import BoardError
from romproof.machine.nes.lines import IrqLine
from romproof.machine.saved import copy_state, put_back

KIB = 0x400
NO_RAM, RAM_READ, RAM_WRITTEN = range(3)
"""What of RAM at $6000 is in sight: nothing, to be read only, all."""
IN_ROM, NO_BLOCK = -1, -2
"""Instead of a block of cartridge RAM: the window shows ROM, or nothing."""
_WIRED = {"horizontal": (0, 0, 1, 1), "vertical": (0, 1, 0, 1), "four-screen": (0, 1, 2, 3)}
"""Which of the PPU's 1 KiB memories each of the four nametables is."""
_SEROM = 5
"""The submapper of 1 whose program is not banked."""
_CONFLICTS = 2
"""The submapper of 2, 3 and 7 on which ROM and CPU both drive the bus during a write."""


@fields(words={"_wired": 4})
class Mapper(Chip):
    """NROM (0): no registers, 16 or 32 KiB of program, 8 KiB of graphics."""

    window = 0x8000
    """Bytes of PRG in each window."""
    registers = (0, 0)
    """The addresses of its registers, the end not included."""
    selector = (0, 0)
    """Those of further ones that are not where ROM is."""
    readable: tuple[tuple[int, int], ...] = ()
    """The addresses at which ``read`` answers, or has to know of reads."""
    fixed = True
    """Whether what the CPU sees always stays in sight."""
    switches_graphics = False
    """Whether what the PPU sees may change."""
    has_irq = False
    """Whether it asks for IRQs, by ``line``."""
    shows_ram = False
    """Whether windows of program may show cartridge RAM (``block``), and whether there is RAM at
    $5C00 (``expansion_mode``)."""
    submappers: tuple[int, ...] = (0,)
    """The variants of the board that NES 2.0 tells apart and that are emulated."""
    most_prg = 32 * KIB
    most_chr = 8 * KIB
    """Bytes of ROM that its registers reach."""
    silent_chr_ram = 8 * KIB
    """Bytes of CHR RAM where the header is silent on it (iNES)."""
    silent_prg_ram = 0
    """Bytes of RAM at $6000 that every iNES header is taken to mean; 0 for what it says."""
    expansion_mode = 0
    in_frame = False
    """Of boards with that RAM: what it is for, as $5104 says; whether the PPU is drawing."""
    line: IrqLine | None = None

    banks: int
    """How many banks of PRG there are of the size of a window."""
    conflicts: bool
    """Whether ROM and CPU both drive the bus during a write."""
    _wired: MutableSequence[int]

    def __init__(self, header: Ines) -> None:
        self.header = header
        self.banks = -(-header.prg_size // self.window)
        self._wired[:] = _WIRED[header.mirroring]

    def write(self, address: int, value: int, cycle: int) -> bool:
        """A write to ``registers``: whether what is in sight may be other than before."""
        return False

    @property
    def unprotected(self) -> tuple[int, int]:
        """The addresses from $8000 on at which a write is no fault, the end not included."""
        return self.registers

    def read(self, address: int, value: int, cycle: int) -> int:
        """A read at one of ``readable``, where ``value`` is in memory: what the CPU gets."""
        return value

    def peek(self, address: int, value: int, cycle: int) -> int:
        """What ``read`` would bring; nothing but the time changes."""
        return value

    def hears(self, address: int, value: int) -> bool:
        """The CPU writes the PPU's control register: whether what is in sight may be other."""
        return False

    def prg(self, window: int) -> int:
        """The bank in a window."""
        return 0

    def block(self, window: int) -> int:
        """The 8 KiB of cartridge RAM in a window; IN_ROM or NO_BLOCK."""
        return IN_ROM

    def takes_writes(self) -> bool:
        """Whether RAM in a window can be written."""
        return False

    def pattern(self, place: int) -> int:
        """The bank of 1 KiB in an eighth of the patterns."""
        return place

    def nametable(self, place: int) -> int:
        """What each of the four nametables is."""
        return self._wired[place]

    def sees(self, address: int) -> bool:
        """The CPU has read a pattern by the PPU: whether what is in sight may be other now."""
        return False

    def ram(self) -> int:
        """NO_RAM, RAM_READ or RAM_WRITTEN."""
        return RAM_WRITTEN

    def low(self) -> int:
        """The bank of 8 KiB of program at $6000; -1 for RAM, or nothing."""
        return -1

    def ram_bank(self) -> int:
        """The bank of 8 KiB of RAM at $6000."""
        return 0

    def select(self, window: int, bank: int) -> None:
        """Change the registers so that a bank comes into sight there, if they can do that."""

    def in_sight(self) -> tuple[int, ...]:
        """The numbers of the banks in the windows."""
        return tuple(self.prg(window) % self.banks for window in range(0x8000 // self.window))


@fields(words={"_chr": 2})
class Mmc1(Mapper):
    """MMC1 (1): registers are written a bit at a time, the lowest first. With more than 256 KiB
    of program, a bit of the first register of graphics is the upper half; with more than 8 KiB of
    RAM others of its bits are the bank of that. On submapper 5 the program is not banked."""

    window = 0x4000
    registers = (0x8000, 0x10000)
    fixed = False
    switches_graphics = True
    submappers = (0, 1, 2, 4, 5)
    most_prg = 512 * KIB
    most_chr = 128 * KIB

    _control: int
    _chr: MutableSequence[int]
    _prg: int
    _shift: int
    _count: int
    _last: int
    """The cycle of the last write."""
    _large: bool

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._control, self._last = 0x0C, -2
        self._large = header.prg_size > 256 * KIB
        self._is_banked = int(header.submapper != _SEROM)
        ram = header.prg_ram + header.prg_nvram
        # SXROM has four banks; SOROM two, of which one may have a battery; others with 16 KiB two
        self._ram_shift = 3 if header.prg_ram == header.prg_nvram else 2
        self._ram_mask = 3 if ram > 16 * KIB else int(ram > 8 * KIB)

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper. Of writes in consecutive cycles only the first counts: of those that change
        memory (``inc``) the one that writes back what was there."""
        consecutive = cycle == self._last + 1
        self._last = cycle
        if consecutive:
            return False
        if value & 0x80:
            self._shift = self._count = 0
            self._control |= 0x0C
            return True
        self._shift |= (value & 1) << self._count
        self._count += 1
        if self._count < 5:
            return False
        self._set(address >> 13 & 3, self._shift)
        self._shift = self._count = 0
        return True

    def prg(self, window: int) -> int:
        """See Mapper."""
        if not self._is_banked:
            return window
        outer = self._chr[0] & 0x10 if self._large else 0
        bank = self._prg & 0x0F | outer
        mode = self._control >> 2 & 3
        if mode < 2:
            return bank & ~1 | window
        if mode == 2:
            return bank if window else outer
        return outer | 0x0F if window else bank

    def pattern(self, place: int) -> int:
        """See Mapper."""
        half = place >> 2
        bank = self._chr[half] if self._control & 0x10 else self._chr[0] & ~1 | half
        return 4 * bank + (place & 3)

    def nametable(self, place: int) -> int:
        """See Mapper."""
        mode = self._control & 3
        if mode < 2:
            return mode
        return place & 1 if mode == 2 else place >> 1

    def ram(self) -> int:
        """See Mapper."""
        return NO_RAM if self._prg & 0x10 else RAM_WRITTEN

    def ram_bank(self) -> int:
        """See Mapper."""
        shift = 2 if self._ram_mask == 3 else self._ram_shift
        return self._chr[0] >> shift & self._ram_mask

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if self._large:
            self._chr[0] = self._chr[0] & ~0x10 | bank & 0x10
        self._prg = self._prg & 0x10 | bank & 0x0F

    def _set(self, register: int, value: int) -> None:
        if register == 0:
            self._control = value
        elif register == 3:
            self._prg = value
        else:
            self._chr[register - 1] = value


@fields()
class Latch(Mapper):
    """A board whose only register is the byte last written to ROM's addresses; where the header
    says so, ROM and CPU drive the bus together (NES 2.0, submapper 2)."""

    registers = (0x8000, 0x10000)
    submappers: tuple[int, ...] = (0, 1, 2)

    _value: int

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self.conflicts = header.submapper == _CONFLICTS

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        self._value = value
        return True


@fields()
class UxRom(Latch):
    """UNROM, UOROM (2): 16 KiB at $8000, the last bank at $C000."""

    window = 0x4000
    fixed = False
    most_prg = 4096 * KIB

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self.banks - 1 if window else self._value

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window == 0:
            self._value = bank


@fields()
class CnRom(Latch):
    """CNROM (3): 8 KiB of graphics."""

    switches_graphics = True
    most_chr = 2048 * KIB

    def pattern(self, place: int) -> int:
        """See Mapper."""
        return 8 * self._value + place


@fields()
class AxRom(Latch):
    """ANROM, AMROM, AOROM (7): 32 KiB, and a bit that is the one nametable."""

    fixed = False
    switches_graphics = True
    most_prg = 512 * KIB

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self._value & 0x0F

    def nametable(self, place: int) -> int:
        """See Mapper."""
        return self._value >> 4 & 1

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        self._value = self._value & 0x10 | bank & 0x0F


def show(mapper: Mapper, window: int, bank: int) -> None:
    """Bring a bank into sight by the registers.

    Raises BoardError, and changes nothing, when that cannot be.
    """
    shown = mapper.in_sight()
    windows = len(shown)
    if not 0 <= window < windows:
        raise BoardError(f"no window {window}: this cartridge has {windows}, numbered from 0")
    if not 0 <= bank < mapper.banks:
        raise BoardError(f"no bank {bank}: this cartridge has {mapper.banks}, numbered from 0")
    if shown[window] == bank:
        return
    before = copy_state([mapper])
    mapper.select(window, bank)
    if mapper.in_sight()[window] != bank:
        put_back([mapper], before)
        raise BoardError(
            f"bank {bank} cannot be shown at ${0x8000 + window * mapper.window:04X} with the "
            f"current registers of the cartridge: bank {shown[window]} is selected"
        )
