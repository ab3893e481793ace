"""What is where in the header of a Game Boy cartridge, $0100 to $014F of the ROM.

Offsets, codes and checksums are those of Pan Docs, "The Cartridge Header"; the three bytes and
the revision of TPP1 those of its specification. Machines read the header by the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ROM_BANK = 0x4000
"""Bytes in a bank of ROM; two are in sight, at $0000 and $4000."""
RAM_BANK = 0x2000
"""Bytes in a bank of cartridge RAM, seen at $A000."""

LOGO = slice(0x104, 0x134)
TITLE = slice(0x134, 0x144)
GAME_ID = slice(0x13F, 0x143)
"""The manufacturer code, in the last bytes of longer titles."""
COLOR_FLAG = 0x143
NEW_LICENSEE = slice(0x144, 0x146)
SGB_FLAG = 0x146
CARTRIDGE_TYPE = 0x147
ROM_SIZE = 0x148
"""Where the number of banks is, as the power of two of 32 KiB."""
RAM_SIZE = 0x149
DESTINATION = 0x14A
OLD_LICENSEE = 0x14B
ROM_VERSION = 0x14C
HEADER_CHECKSUM = 0x14D
GLOBAL_CHECKSUM = slice(0x14E, 0x150)
"""Most significant byte first."""
END = 0x150
"""The first byte behind the header."""

TPP1_TYPE = 0xBC
"""The cartridge type of the controller TPP1; more about it is where the RAM size usually is."""
TPP1_CODE = slice(0x149, 0x14B)
TPP1_REVISION = slice(0x150, 0x152)
TPP1_RAM_SIZE = 0x152
TPP1_FEATURES = 0x153
TPP1_END = 0x154
"""The first byte behind the longer header of TPP1."""

NINTENDO_LOGO = bytes.fromhex(
    "CEED6666CC0D000B03730083000C000D0008111F8889000E"
    "DCCC6EE6DDDDD999BBBB67636E0EECCCDDDC999FBBB9333E"
)
"""What the boot ROM wants to find at $0104."""

SGB_LICENSEE = 0x33
"""The old licensee code that says: look at the new one. A Super Game Boy insists on it."""

CARTRIDGE_TYPES: Mapping[int, str] = MappingProxyType(
    {
        0x00: "ROM",
        0x01: "MBC1",
        0x02: "MBC1+RAM",
        0x03: "MBC1+RAM+BATTERY",
        0x05: "MBC2",
        0x06: "MBC2+BATTERY",
        0x08: "ROM+RAM",
        0x09: "ROM+RAM+BATTERY",
        0x0B: "MMM01",
        0x0C: "MMM01+RAM",
        0x0D: "MMM01+RAM+BATTERY",
        0x0F: "MBC3+TIMER+BATTERY",
        0x10: "MBC3+TIMER+RAM+BATTERY",
        0x11: "MBC3",
        0x12: "MBC3+RAM",
        0x13: "MBC3+RAM+BATTERY",
        0x19: "MBC5",
        0x1A: "MBC5+RAM",
        0x1B: "MBC5+RAM+BATTERY",
        0x1C: "MBC5+RUMBLE",
        0x1D: "MBC5+RUMBLE+RAM",
        0x1E: "MBC5+RUMBLE+RAM+BATTERY",
        0x20: "MBC6",
        0x22: "MBC7+SENSOR+RUMBLE+RAM+BATTERY",
        0xFC: "POCKET CAMERA",
        0xFD: "BANDAI TAMA5",
        0xFE: "HUC3",
        0xFF: "HUC1+RAM+BATTERY",
    }
)
"""By the byte at $0147: the controller, and what the cartridge has besides."""

RAM_SIZES: Mapping[int, int] = MappingProxyType(
    {0: 0, 1: 0x800, 2: 0x2000, 3: 0x8000, 4: 0x20000, 5: 0x10000}
)
"""Bytes of RAM by the byte at $0149."""


def header_checksum(rom: bytes | bytearray) -> int:
    """What the byte at $014D has to be: the boot ROM stops at a cartridge where it is not."""
    checked = rom[TITLE.start : HEADER_CHECKSUM]
    return -sum(checked) - len(checked) & 0xFF


def global_checksum(rom: bytes | bytearray) -> bytes:
    """What the two bytes at $014E should be: the sum of all others."""
    total = sum(rom) - sum(rom[GLOBAL_CHECKSUM])
    return (total & 0xFFFF).to_bytes(2, "big")


def logo_from_tiles(tiles: bytes) -> bytes:
    """The 48 bytes of a logo in the header's form, from a picture of 48 by 8 pixels.

    ``tiles`` are its six tiles from the left, a byte for each of the 8 rows. The header has the
    upper four rows of all tiles first, then the lower ones, and of each tile the left half first.
    """
    return bytes(
        (tiles[8 * tile + row] >> shift & 0xF) << 4 | tiles[8 * tile + row + 1] >> shift & 0xF
        for top in (0, 4)
        for tile in range(6)
        for shift in (4, 0)
        for row in (top, top + 2)
    )
