"""What the header of a Game Boy cartridge says; toolchains.rgbds.fix.layout has its layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from types import MappingProxyType

from romproof.machine.board import BadBoard
from romproof.toolchains.rgbds.fix.header_fields import (
    CARTRIDGE_TYPE,
    CARTRIDGE_TYPES,
    COLOR_FLAG,
    END,
    HEADER_CHECKSUM,
    LOGO,
    NEW_LICENSEE,
    OLD_LICENSEE,
    RAM_SIZE,
    RAM_SIZES,
    ROM_BANK,
    ROM_SIZE,
    SGB_LICENSEE,
    TITLE,
)


class BadCartridge(BadBoard):
    """The ROM is not a cartridge this machine can take."""


class CartridgeChip(Enum):
    """The controller in a cartridge, which puts banks of ROM and RAM in sight."""

    NONE = "no controller"
    MBC1 = "MBC1"
    MBC2 = "MBC2"
    MBC3 = "MBC3"
    MBC5 = "MBC5"
    HUC1 = "HUC1"


@dataclass(frozen=True, slots=True)
class Equipment:
    """What a cartridge type has: the controller; RAM, a clock, a motor that rumbles, or not."""

    chip: CartridgeChip
    ram: bool = False
    clock: bool = False
    rumble: bool = False


def _equipment_of(name: str) -> Equipment | None:
    """What a cartridge type has by its name; None when its controller is not supported."""
    first, *others = name.split("+")
    chip = (
        CartridgeChip.NONE
        if first == "ROM"
        else {chip.value: chip for chip in CartridgeChip}.get(first)
    )
    if chip is None:
        return None
    # an MBC2 has its RAM inside
    return Equipment(
        chip,
        ram="RAM" in others or chip is CartridgeChip.MBC2,
        clock="TIMER" in others,
        rumble="RUMBLE" in others,
    )


TYPES: Mapping[int, Equipment] = MappingProxyType(
    {
        code: equipment
        for code, name in CARTRIDGE_TYPES.items()
        if (equipment := _equipment_of(name)) is not None
    }
)
"""By the byte at $0147. Those that differ only in a battery are alike here."""

_USES_COLOR = 0x80
"""The bit of the byte at $0143; games that do not run on others have bit 6 as well."""
_MAX_ROM = 2 * ROM_BANK << 8
"""Bytes of the largest ROM; no controller can show more."""
_MBC2_RAM = 0x200
"""Bytes of RAM inside of an MBC2."""


@dataclass(frozen=True, slots=True)
class CartridgeHeader:
    """What the header says. ``rom_size`` and ``ram_size`` are in bytes; of ROM there is as much as
    the image has, when that is more.

    ``multicart`` says that several games share an MBC1, each with its own header: the
    controller is then wired differently. ``uses_color`` says that the cartridge is made for the
    Game Boy Color, maybe for others as well. ``title_sum`` is what the Color's boot ROM adds up
    for games by Nintendo, to choose colours; 0 for others.
    """

    title: str
    equipment: Equipment
    rom_size: int
    ram_size: int
    checksum: int
    multicart: bool = False
    uses_color: bool = False
    title_sum: int = 0


def read_header(rom: bytes) -> CartridgeHeader:
    """The header of a ROM image.

    Raises BadCartridge when the image is shorter than its header says, or when the header names
    a controller or a size that is not known.
    """
    if len(rom) < END:
        raise BadCartridge(
            f"the ROM has {len(rom)} bytes and ends before $0150, where its header ends; it may "
            f"not be a Game Boy ROM"
        )
    equipment = _equipment(rom[CARTRIDGE_TYPE])
    if rom[ROM_SIZE] > 8:
        raise BadCartridge(
            f"the byte at $0148 (ROM size) is ${rom[ROM_SIZE]:02X}; valid are $00 to $08"
        )
    rom_size = max(2 * ROM_BANK << rom[ROM_SIZE], _power_of_two(min(len(rom), _MAX_ROM)))
    if len(rom) < rom_size:
        raise BadCartridge(
            f"the header says {rom_size // 1024} KiB of ROM, the image has {len(rom)} bytes; it "
            f"is cut off or not padded (pad it with rgbfix -p 0xFF)"
        )
    return CartridgeHeader(
        title=_title(rom[TITLE]),
        equipment=equipment,
        rom_size=rom_size,
        ram_size=_ram_size(rom[RAM_SIZE], equipment),
        checksum=rom[HEADER_CHECKSUM],
        multicart=equipment.chip is CartridgeChip.MBC1 and _is_multicart(rom, rom_size),
        uses_color=bool(rom[COLOR_FLAG] & _USES_COLOR),
        title_sum=sum(rom[TITLE]) & 0xFF if _is_nintendos(rom) else 0,
    )


def _power_of_two(size: int) -> int:
    """The greatest power of two up to a size: as many bytes as a chip has that they fill."""
    return 1 << size.bit_length() - 1


def _title(field: bytes) -> str:
    """The text up to the first byte that is none; the last may be a flag of the Color."""
    return bytes(takewhile(range(1, 0x80).__contains__, field)).decode("ascii")


def _equipment(number: int) -> Equipment:
    equipment = TYPES.get(number)
    if equipment is None:
        name = CARTRIDGE_TYPES.get(number)
        kind = f"({name.partition('+')[0]}) is not supported" if name else "is not known"
        raise BadCartridge(
            f"the cartridge type ${number:02X} at $0147 {kind}; "
            "supported are ROM only, MBC1, MBC2, MBC3, MBC5 and HuC1"
        )
    return equipment


def _is_nintendos(rom: bytes) -> bool:
    """Whether the licensee is Nintendo, by the old code or by the new one."""
    if rom[OLD_LICENSEE] == SGB_LICENSEE:
        return rom[NEW_LICENSEE] == b"01"
    return rom[OLD_LICENSEE] == 1


def _ram_size(number: int, equipment: Equipment) -> int:
    if equipment.chip is CartridgeChip.MBC2:
        return _MBC2_RAM
    if not equipment.ram:
        return 0
    if number not in RAM_SIZES:
        raise BadCartridge(f"the byte at $0149 (RAM size) is ${number:02X}; valid are $00 to $05")
    return RAM_SIZES[number]


def _is_multicart(rom: bytes, size: int) -> bool:
    """Whether there is a second logo where the second game of a multicart begins.

    All known multicarts have 1 MiB and a game in every 16th bank.
    """
    start = 0x10 * ROM_BANK
    return size == 64 * ROM_BANK and rom[start:][LOGO] == rom[LOGO]
