"""The header of a Game Boy cartridge: what is at $0100 to $014F of the ROM.

The constants are those of Pan Docs, "The Cartridge Header".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from types import MappingProxyType

from romproof.text.errors import RomproofError

ROM_BANK = 0x4000
"""Bytes in a bank of ROM; two are in sight, at $0000 and $4000."""
RAM_BANK = 0x2000
"""Bytes in a bank of cartridge RAM, seen at $A000."""

LOGO = slice(0x104, 0x134)
_TITLE = slice(0x134, 0x144)
_TYPE, _ROM_SIZE, _RAM_SIZE, _CHECKSUM = 0x147, 0x148, 0x149, 0x14D
_END = 0x150
_MBC2_RAM = 0x200


class BadCartridge(RomproofError):
    """The ROM is no cartridge this machine can take."""


class Chip(Enum):
    """The controller in a cartridge, which puts banks of ROM and RAM in sight."""

    NONE = "no controller"
    MBC1 = "MBC1"
    MBC2 = "MBC2"
    MBC3 = "MBC3"
    MBC5 = "MBC5"


@dataclass(frozen=True, slots=True)
class Equipment:
    """What a cartridge type has: the controller, RAM or not, a clock or not."""

    chip: Chip
    ram: bool = False
    clock: bool = False


TYPES: Mapping[int, Equipment] = MappingProxyType(
    {
        0x00: Equipment(Chip.NONE),
        0x01: Equipment(Chip.MBC1),
        0x02: Equipment(Chip.MBC1, ram=True),
        0x03: Equipment(Chip.MBC1, ram=True),
        0x05: Equipment(Chip.MBC2, ram=True),
        0x06: Equipment(Chip.MBC2, ram=True),
        0x08: Equipment(Chip.NONE, ram=True),
        0x09: Equipment(Chip.NONE, ram=True),
        0x0F: Equipment(Chip.MBC3, clock=True),
        0x10: Equipment(Chip.MBC3, ram=True, clock=True),
        0x11: Equipment(Chip.MBC3),
        0x12: Equipment(Chip.MBC3, ram=True),
        0x13: Equipment(Chip.MBC3, ram=True),
        0x19: Equipment(Chip.MBC5),
        0x1A: Equipment(Chip.MBC5, ram=True),
        0x1B: Equipment(Chip.MBC5, ram=True),
        0x1C: Equipment(Chip.MBC5),
        0x1D: Equipment(Chip.MBC5, ram=True),
        0x1E: Equipment(Chip.MBC5, ram=True),
    }
)
"""By the byte at $0147. Those that differ only in a battery or a motor are alike here."""

_REFUSED = {
    0x0B: "MMM01", 0x0C: "MMM01", 0x0D: "MMM01", 0x20: "MBC6", 0x22: "MBC7",
    0xFC: "Pocket Camera", 0xFD: "TAMA5", 0xFE: "HuC3", 0xFF: "HuC1",
}  # fmt: skip
_RAM_SIZES = {0: 0, 1: 0x800, 2: 0x2000, 3: 0x8000, 4: 0x20000, 5: 0x10000}
"""By the byte at $0149, in bytes."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the header says. ``rom_size`` and ``ram_size`` are in bytes.

    ``multicart`` says that several games share an MBC1, each with its own header: the
    controller then is wired in another way.
    """

    title: str
    equipment: Equipment
    rom_size: int
    ram_size: int
    checksum: int
    multicart: bool = False


def read_header(rom: bytes) -> Header:
    """The header of a ROM image.

    Raises BadCartridge when the image is shorter than its header says, or when the header names
    a controller or a size that is not known.
    """
    if len(rom) < _END:
        raise BadCartridge(
            f"the ROM has {len(rom)} bytes and ends before its header does, at $0150; "
            "is this a Game Boy ROM?"
        )
    equipment = _equipment(rom[_TYPE])
    if rom[_ROM_SIZE] > 8:
        raise BadCartridge(
            f"the byte at $0148 (ROM size) is ${rom[_ROM_SIZE]:02X}; $00 to $08 have a meaning"
        )
    rom_size = 2 * ROM_BANK << rom[_ROM_SIZE]
    if len(rom) < rom_size:
        raise BadCartridge(
            f"the header says {rom_size // 1024} KiB of ROM, the image has {len(rom)} bytes; "
            "is it cut off, or not padded (rgbfix -p 0xFF)?"
        )
    return Header(
        title=_title(rom[_TITLE]),
        equipment=equipment,
        rom_size=rom_size,
        ram_size=_ram_size(rom[_RAM_SIZE], equipment),
        checksum=rom[_CHECKSUM],
        multicart=equipment.chip is Chip.MBC1 and _is_multicart(rom, rom_size),
    )


def _title(field: bytes) -> str:
    """The text up to the first byte that is none; the last may be a flag of the Color."""
    return bytes(takewhile(range(1, 0x80).__contains__, field)).decode("ascii")


def _equipment(number: int) -> Equipment:
    equipment = TYPES.get(number)
    if equipment is None:
        name = _REFUSED.get(number)
        kind = f"({name}) is not supported" if name else "is not known"
        raise BadCartridge(
            f"the cartridge type ${number:02X} at $0147 {kind}; "
            "supported are ROM only, MBC1, MBC2, MBC3 and MBC5"
        )
    return equipment


def _ram_size(number: int, equipment: Equipment) -> int:
    if equipment.chip is Chip.MBC2:
        return _MBC2_RAM
    if not equipment.ram:
        return 0
    if number not in _RAM_SIZES:
        raise BadCartridge(
            f"the byte at $0149 (RAM size) is ${number:02X}; $00 to $05 have a meaning"
        )
    return _RAM_SIZES[number]


def _is_multicart(rom: bytes, size: int) -> bool:
    """Whether there is a second logo where the second game of a multicart begins.

    All known multicarts have 1 MiB and a game in every 16th bank.
    """
    start = 0x10 * ROM_BANK
    return size == 64 * ROM_BANK and rom[start:][LOGO] == rom[LOGO]
