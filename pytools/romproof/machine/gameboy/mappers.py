"""The controllers in cartridges: writes to ROM addresses choose which banks are in sight.

A controller is its registers; ``banks`` says what they mean. Sources: Pan Docs, and
"Game Boy: Complete Technical Reference" by Joonas Javanainen.
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.machine.gameboy.header import Chip, Header
from romproof.machine.gameboy.rtc import RealTimeClock

_ENABLE = 0x0A
"""What is written to enable the RAM."""


@dataclass(frozen=True, slots=True)
class Banks:
    """What is in sight: ``low`` at $0000, ``high`` at $4000, ``ram`` at $A000.

    The numbers may be larger than there are banks: they wrap around. ``ram`` is None when
    there is none in sight; all of $A000 to $BFFF then reads as ``instead``.
    """

    low: int = 0
    high: int = 1
    ram: int | None = None
    instead: int = 0xFF


class Mapper:
    """No controller: 32 KiB of ROM, and RAM that is always in sight if there is any."""

    sees_ram_writes = False
    """Whether ``store`` is asked for every write to $A000 to $BFFF."""
    clock: RealTimeClock | None = None
    """The clock in the cartridge."""

    def choose_rom(self, bank: int) -> None:
        """Show a bank at $4000, if that can be done."""

    def choose_ram(self, bank: int) -> None:
        """Show a bank at $A000, if that can be done."""

    def write(self, address: int, value: int, cycle: int) -> None:
        """A write to $0000 to $7FFF."""

    def store(self, address: int, value: int, cycle: int) -> int | None:
        """A write to $A000 to $BFFF: what RAM is to hold; None when RAM is not meant."""
        return value

    def banks(self, cycle: int) -> Banks:
        """What is in sight now."""
        return Banks(ram=0)


class Mbc1(Mapper):
    """Up to 2 MiB of ROM and 32 KiB of RAM.

    In mode 1 the second register also acts on $0000 to $3FFF and on RAM. On a multicart it is
    wired one bit lower, and chooses the game.
    """

    def __init__(self, multicart: bool = False) -> None:
        self._shift = 4 if multicart else 5
        self._enabled = False
        self._bank1, self._bank2, self._mode = 1, 0, 0

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        match address >> 13:
            case 0:
                self._enabled = value & 0x0F == _ENABLE
            case 1:
                self._bank1 = value & 0x1F or 1  # 0 cannot be chosen
            case 2:
                self._bank2 = value & 3
            case 3:
                self._mode = value & 1

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._bank1, self._bank2 = bank & ((1 << self._shift) - 1) or 1, bank >> self._shift

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._enabled, self._mode, self._bank2 = True, 1, bank

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        upper = self._bank2 << self._shift
        lower = self._bank1 & ((1 << self._shift) - 1)
        low, ram = (upper, self._bank2) if self._mode else (0, 0)
        return Banks(low, upper | lower, ram if self._enabled else None)


class Mbc2(Mapper):
    """Up to 256 KiB of ROM; 512 half bytes of RAM, whose upper halves read as 1s."""

    sees_ram_writes = True

    def __init__(self) -> None:
        self._enabled = False
        self._bank = 1

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper. Bit 8 of the address selects one of the two registers."""
        if address >= 0x4000:
            return
        if address & 0x100:
            self._bank = value & 0x0F or 1
        else:
            self._enabled = value & 0x0F == _ENABLE

    def store(self, address: int, value: int, cycle: int) -> int | None:
        """See Mapper."""
        return value | 0xF0

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._bank = bank or 1

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._enabled = True

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        return Banks(0, self._bank, 0 if self._enabled else None)


class Mbc3(Mapper):
    """Up to 2 MiB of ROM and 32 KiB of RAM (MBC30: 4 MiB and 64 KiB), maybe a clock."""

    def __init__(self, clock: RealTimeClock | None, large: bool) -> None:
        self.sees_ram_writes = clock is not None
        self.clock = clock
        self._bank_bits = 0xFF if large else 0x7F
        self._ram_bits = 7 if large else 3
        self._enabled = False
        self._bank, self._choice, self._latch = 1, 0, 0xFF

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        match address >> 13:
            case 0:
                self._enabled = value & 0x0F == _ENABLE
            case 1:
                self._bank = value & self._bank_bits or 1
            case 2:
                self._choice = value & 0x0F
            case 3:
                if self.clock is not None and (self._latch, value) == (0, 1):
                    self.clock.latch(cycle)
                self._latch = value

    def store(self, address: int, value: int, cycle: int) -> int | None:
        """See Mapper."""
        if not self._choice & 8:
            return value
        if self._enabled and self.clock is not None:
            self.clock.write(self._choice, value, cycle)
        return None

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._bank = bank or 1

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._enabled, self._choice = True, bank

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        if not self._enabled:
            return Banks(0, self._bank)
        if not self._choice & 8:
            return Banks(0, self._bank, self._choice & self._ram_bits)
        if self.clock is None:
            return Banks(0, self._bank)
        return Banks(0, self._bank, None, self.clock.latched(self._choice))


class Mbc5(Mapper):
    """Up to 8 MiB of ROM and 128 KiB of RAM."""

    def __init__(self) -> None:
        self._enabled = False
        self._low, self._high, self._ram = 1, 0, 0

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper. Unlike the others it compares all bits, and has a bank 0 at $4000."""
        match address >> 12:
            case 0 | 1:
                self._enabled = value == _ENABLE
            case 2:
                self._low = value
            case 3:
                self._high = value & 1
            case 4 | 5:
                self._ram = value & 0x0F

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._low, self._high = bank & 0xFF, bank >> 8

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._enabled, self._ram = True, bank

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        return Banks(0, self._high << 8 | self._low, self._ram if self._enabled else None)


def mapper_for(header: Header) -> Mapper:
    """The controller of a cartridge, in the state after power-on."""
    match header.equipment.chip:
        case Chip.MBC1:
            return Mbc1(header.multicart)
        case Chip.MBC2:
            return Mbc2()
        case Chip.MBC3:
            large = header.rom_size > 0x200000 or header.ram_size > 0x8000
            return Mbc3(RealTimeClock() if header.equipment.clock else None, large)
        case Chip.MBC5:
            return Mbc5()
    return Mapper()
