"""The controllers in cartridges: writes to ROM addresses choose which banks are in sight.

A controller is its registers; ``banks`` says what they mean. Sources: Pan Docs, and
"Game Boy: Complete Technical Reference" by Joonas Javanainen.
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.engine import chips
from romproof.machine.gameboy.header import CartridgeChip, CartridgeHeader
from romproof.machine.gameboy.rtc import RealTimeClock
from romproof.machine.gameboy.speed import Speed

_MOTOR = 0x08
_ENABLE = 0x0A
"""What is written to enable the RAM."""
_INFRARED = 0x0E
"""What is written to an HuC1 to have infrared in place of RAM."""
_DARK = 0xC0
"""What infrared reads as when no light comes in."""


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


class Motor:
    """A motor, and when it was switched: the cycle, and whether on."""

    def __init__(self) -> None:
        self.switched: list[tuple[int, bool]] = []


@chips.fields()
class Mapper(chips.Chip):
    """No controller: 32 KiB of ROM, and RAM that is always in sight if there is any."""

    sees_ram_writes = False
    """Whether ``store`` is asked for every write to $A000 to $BFFF."""
    clock: RealTimeClock | None = None
    """The clock in the cartridge."""
    motor: Motor | None = None
    """The motor that lets the cartridge rumble."""

    def choose_rom(self, bank: int) -> None:
        """Show a bank at $4000, if that can be done."""

    def choose_ram(self, bank: int) -> None:
        """Show a bank at $A000, if that can be done."""

    def write(self, address: int, value: int, cycle: int) -> None:
        """A write to $0000 to $7FFF."""

    def store(self, address: int, value: int, cycle: int) -> int:
        """A write to $A000 to $BFFF: what RAM is to hold; -1 when RAM is not meant."""
        return value

    def banks(self, cycle: int) -> Banks:
        """What is in sight now."""
        return Banks(ram=0)

    def high_bank(self) -> int:
        """The bank in sight at $4000."""
        return 1

    def others(self) -> int:
        """A number that stays the same as long as all other banks do; negative when they may
        change without a change of registers."""
        return 0


@chips.fields()
class Mbc1(Mapper):
    """Up to 2 MiB of ROM and 32 KiB of RAM.

    In mode 1 the second register also acts on $0000 to $3FFF and on RAM. On a multicart it is
    wired one bit lower, and chooses the game.
    """

    _enabled: bool
    _bank1: int
    _bank2: int
    _mode: int

    def __init__(self, multicart: bool = False) -> None:
        self._shift = 4 if multicart else 5
        self._bank1 = 1

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        register = address >> 13
        if register == 0:
            self._enabled = value & 0x0F == _ENABLE
        elif register == 1:
            self._bank1 = value & 0x1F or 1  # 0 cannot be chosen
        elif register == 2:
            self._bank2 = value & 3
        else:
            self._mode = value & 1

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._bank1, self._bank2 = bank & ((1 << self._shift) - 1) or 1, bank >> self._shift

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._enabled, self._mode, self._bank2 = True, 1, bank

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        low, ram = (self._bank2 << self._shift, self._bank2) if self._mode else (0, 0)
        return Banks(low, self.high_bank(), ram if self._enabled else None)

    def high_bank(self) -> int:
        """See Mapper."""
        return self._bank2 << self._shift | self._bank1 & ((1 << self._shift) - 1)

    def others(self) -> int:
        """See Mapper."""
        return self._enabled | self._mode << 1 | self._bank2 << 2


@chips.fields()
class Mbc2(Mapper):
    """Up to 256 KiB of ROM; 512 half bytes of RAM, whose upper halves read as 1s."""

    sees_ram_writes = True

    _enabled: bool
    _bank: int

    def __init__(self) -> None:
        self._bank = 1

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper. Bit 8 of the address selects one of the two registers."""
        if address >= 0x4000:
            return
        if address & 0x100:
            self._bank = value & 0x0F or 1
        else:
            self._enabled = value & 0x0F == _ENABLE

    def store(self, address: int, value: int, cycle: int) -> int:
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

    def high_bank(self) -> int:
        """See Mapper."""
        return self._bank

    def others(self) -> int:
        """See Mapper."""
        return int(self._enabled)


@chips.fields()
class Mbc3(Mapper):
    """Up to 2 MiB of ROM and 32 KiB of RAM (MBC30: 4 MiB and 64 KiB), maybe a clock."""

    _enabled: bool
    _bank: int
    _choice: int
    _latch: int

    def __init__(self, clock: RealTimeClock | None, large: bool) -> None:
        self.sees_ram_writes = self._has_clock = clock is not None
        self.clock = clock
        self._bank_bits = 0xFF if large else 0x7F
        self._ram_bits = 7 if large else 3
        self._bank, self._choice, self._latch = 1, 0, 0xFF

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        register = address >> 13
        if register == 0:
            self._enabled = value & 0x0F == _ENABLE
        elif register == 1:
            self._bank = value & self._bank_bits or 1
        elif register == 2:
            self._choice = value & 0x0F
        else:
            if self._has_clock and self._latch == 0 and value == 1:
                self._latch_clock(cycle)
            self._latch = value

    @chips.in_python
    def _latch_clock(self, cycle: int) -> None:
        assert self.clock is not None
        self.clock.latch(cycle)

    def store(self, address: int, value: int, cycle: int) -> int:
        """See Mapper."""
        if not self._choice & 8:
            return value
        if self._enabled and self._has_clock:
            self._set_clock(value, cycle)
        return -1

    @chips.in_python
    def _set_clock(self, value: int, cycle: int) -> None:
        assert self.clock is not None
        self.clock.write(self._choice, value, cycle)

    def high_bank(self) -> int:
        """See Mapper."""
        return self._bank

    def others(self) -> int:
        """See Mapper. What the clock's registers show changes when it is latched."""
        if self._has_clock and self._enabled and self._choice & 8:
            return -1
        return self._enabled | self._choice << 1

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
        return Banks(0, self._bank, None, self.clock.register(self._choice))


@chips.fields()
class Mbc5(Mapper):
    """Up to 8 MiB of ROM and 128 KiB of RAM; with a motor half as much, which has bit 3 of the
    register for banks of RAM (Pan Docs, "MBC5")."""

    _enabled: bool
    _low: int
    _high: int
    _ram: int
    _runs: bool
    """Whether the motor is on."""

    def __init__(self, motor: Motor | None = None) -> None:
        self.motor = motor
        self._motor_bit = _MOTOR if motor is not None else 0
        self._low = 1

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper. Unlike the others it compares all bits, and has a bank 0 at $4000."""
        register = address >> 12
        if register < 2:
            self._enabled = value == _ENABLE
        elif register == 2:
            self._low = value
        elif register == 3:
            self._high = value & 1
        elif register < 6:
            self._ram = value & 0x0F & ~self._motor_bit
            runs = bool(value & self._motor_bit)
            if runs != self._runs:
                self._runs = runs
                self._note_motor(cycle)

    @chips.in_python
    def _note_motor(self, cycle: int) -> None:
        assert self.motor is not None
        self.motor.switched.append((cycle, bool(self._runs)))

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._low, self._high = bank & 0xFF, bank >> 8

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._enabled, self._ram = True, bank

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        return Banks(0, self.high_bank(), self._ram if self._enabled else None)

    def high_bank(self) -> int:
        """See Mapper."""
        return self._high << 8 | self._low

    def others(self) -> int:
        """See Mapper."""
        return self._enabled | self._ram << 1


@chips.fields()
class HuC1(Mapper):
    """Up to 1 MiB of ROM and 32 KiB of RAM, which cannot be switched off, and infrared, that nobody
    answers (Pan Docs, "HuC1")."""

    sees_ram_writes = True

    _bank: int
    _ram: int
    _sees_light: bool
    """Whether infrared is at $A000, not RAM."""

    def __init__(self) -> None:
        self._bank = 1

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Mapper."""
        register = address >> 13
        if register == 0:
            self._sees_light = value == _INFRARED
        elif register == 1:
            self._bank = value & 0x3F or 1
        elif register == 2:
            self._ram = value & 3

    def store(self, address: int, value: int, cycle: int) -> int:
        """See Mapper. What is written there instead of RAM switches the own light."""
        return -1 if self._sees_light else value

    def choose_rom(self, bank: int) -> None:
        """See Mapper."""
        self._bank = bank or 1

    def choose_ram(self, bank: int) -> None:
        """See Mapper."""
        self._sees_light, self._ram = False, bank

    def banks(self, cycle: int) -> Banks:
        """See Mapper."""
        if self._sees_light:
            return Banks(0, self._bank, None, _DARK)
        return Banks(0, self._bank, self._ram)

    def high_bank(self) -> int:
        """See Mapper."""
        return self._bank

    def others(self) -> int:
        """See Mapper."""
        return self._sees_light | self._ram << 1


def mapper_for(header: CartridgeHeader, speed: Speed) -> Mapper:
    """The controller of a cartridge, in the state after power-on. ``speed`` is that of the CPU,
    which a clock does not follow."""
    match header.equipment.chip:
        case CartridgeChip.MBC1:
            return Mbc1(header.multicart)
        case CartridgeChip.MBC2:
            return Mbc2()
        case CartridgeChip.MBC3:
            large = header.rom_size > 0x200000 or header.ram_size > 0x8000
            return Mbc3(RealTimeClock(speed) if header.equipment.clock else None, large)
        case CartridgeChip.MBC5:
            return Mbc5(Motor() if header.equipment.rumble else None)
        case CartridgeChip.HUC1:
            return HuC1()
    return Mapper()
