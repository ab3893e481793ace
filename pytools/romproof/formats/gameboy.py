"""The memory of Game Boy cartridges, in areas that are called as RGBDS calls its sections.

Sizes and addresses: gbdev.io/pandocs "Memory Map".
"""

from __future__ import annotations

from romproof.formats.errors import BadImage
from romproof.formats.layout import GAME_BOY, FileBank, ImageLayout, Ram

ROM_BANK = 0x4000
HEADER_END = 0x0150
ENTRY = 0x0100
LOGO = slice(0x0104, 0x0134)
LOGO_START = bytes.fromhex("ceed6666cc0d000b03730083000c000d")
"""The beginning of the picture that every cartridge shows (Pan Docs, "The Cartridge Header")."""
_MAX_BANKS = 0x200
_SRAM_BANKS = 16
PORTS = ((0xFF00, 0xFF80), (0xFFFF, 0x10000))


def is_gameboy(data: bytes) -> bool:
    """Whether a file begins as a cartridge does."""
    return data[LOGO].startswith(LOGO_START)


def gameboy_layout(name: str, data: bytes) -> ImageLayout:
    """The memory of a cartridge. Raises BadImage."""
    if len(data) < HEADER_END:
        raise BadImage(
            f"an image for the Game Boy has a header up to $0150; this file has {len(data)} bytes"
        )
    count = -(-len(data) // ROM_BANK)
    if count > _MAX_BANKS:
        raise BadImage(
            f"this file has {count} banks of 16 KiB; no cartridge for the Game Boy has more "
            f"than {_MAX_BANKS}"
        )
    banks = [FileBank("ROM0", 0, 0, min(len(data), ROM_BANK), 0)]
    for number in range(1, count):
        start = number * ROM_BANK
        size = min(ROM_BANK, len(data) - start)
        banks.append(FileBank(f"ROMX[{number}]", number, start, size, ROM_BANK))
    rams = [
        Ram("VRAM[0]", 0x8000, 0x2000, 0),
        Ram("VRAM[1]", 0x8000, 0x2000, 1),
        *(Ram(f"SRAM[{number}]", 0xA000, 0x2000, number) for number in range(_SRAM_BANKS)),
        Ram("WRAM0", 0xC000, 0x1000, 0),
        *(Ram(f"WRAMX[{number}]", 0xD000, 0x1000, number) for number in range(1, 8)),
        Ram("OAM", 0xFE00, 0x00A0),
        Ram("HRAM", 0xFF80, 0x007F),
    ]
    return ImageLayout(
        machine=GAME_BOY,
        cpu="sm83",
        name=name,
        data=data,
        banks=tuple(banks),
        rams=tuple(rams),
        first=("ROMX[1]",) if count > 1 else (),
        ports=PORTS,
        notes=_notes(name, data),
    )


def _notes(name: str, data: bytes) -> tuple[str, ...]:
    """What the header says of the file that is not so; emulators pass over it.

    Raises BadImage for a file that is cut off: its header is whole, but neither the length nor the
    sum of all bytes is what it says. rgbfix without -p leaves the length alone, and sets the sum.
    """
    stated = 2 * ROM_BANK << data[0x0148] if data[0x0148] <= 8 else None
    if stated is None or stated == len(data):
        return ()
    if stated < len(data):
        return (
            f"{name} has {len(data)} bytes, its header says {stated}: all of them are there "
            f"(rgbfix -p 0xFF sets the size in the header)",
        )
    if _header_sum(data) == data[0x014D] and _sum(data) != data[0x014E] << 8 | data[0x014F]:
        raise BadImage(
            f"the header says {stated} bytes of ROM; this file has {len(data)}, and the sum of its "
            "bytes is another one than the header's: the file may be cut off. (If it was only "
            "not padded, rgbfix -v gives the right sum, and rgbfix -v -p 0xFF pads it)"
        )
    return (
        f"{name} has {len(data)} bytes, its header says {stated}: the file is cut off or not "
        f"padded (pad it with rgbfix -p 0xFF)",
    )


def _header_sum(data: bytes) -> int:
    """What a boot ROM compares with the byte at $014D (Pan Docs, "The Cartridge Header")."""
    return -sum(data[0x0134:0x014D]) - 0x19 & 0xFF


def _sum(data: bytes) -> int:
    """What the word at $014E, high byte first, has to be: of all other bytes."""
    return sum(data) - data[0x014E] - data[0x014F] & 0xFFFF
