"""What the header of a cartridge says, and which cartridges are refused."""

from __future__ import annotations

import re

import pytest
from gameboy_programs import cartridge

from romproof.machine.gameboy.header import BadCartridge, Chip, read_header


def test_a_header() -> None:
    header = read_header(cartridge("nop", kind=0x03, banks=8, ram=3))
    assert header.title == "TEST"
    assert header.equipment.chip is Chip.MBC1
    assert (header.rom_size, header.ram_size) == (0x20000, 0x8000)
    assert not header.multicart


def test_there_is_as_much_rom_as_the_image_has() -> None:
    """gbmicrotest, ``mbc1_rom_banks``: 2 MiB behind a header that says 32 KiB."""
    rom = bytearray(cartridge("nop", kind=0x03, banks=128))
    rom[0x148] = 0
    assert read_header(bytes(rom)).rom_size == 128 * 0x4000
    assert read_header(bytes(rom[: 3 * 0x4000])).rom_size == 2 * 0x4000
    assert read_header(bytes(rom) * 5).rom_size == 512 * 0x4000


def test_a_title_ends_where_the_text_ends() -> None:
    rom = bytearray(cartridge("nop"))
    rom[0x134:0x144] = b"FIFTEEN LETTERS\xc0"
    assert read_header(bytes(rom)).title == "FIFTEEN LETTERS"


def test_ram_needs_a_type_that_has_some() -> None:
    assert read_header(cartridge("nop", kind=0x01, ram=2)).ram_size == 0
    assert read_header(cartridge("nop", kind=0x02, ram=2)).ram_size == 0x2000
    assert read_header(cartridge("nop", kind=0x05)).ram_size == 512


@pytest.mark.parametrize(
    ("address", "byte", "message"),
    [
        (0x147, 0x22, "the cartridge type $22 at $0147 (MBC7) is not supported"),
        (0x147, 0x99, "the cartridge type $99 at $0147 is not known"),
        (0x148, 0x09, "the byte at $0148 (ROM size) is $09"),
        (0x148, 0x01, "the header says 64 KiB of ROM, the image has 32768 bytes"),
        (0x149, 0x06, "the byte at $0149 (RAM size) is $06"),
    ],
)
def test_what_is_refused(address: int, byte: int, message: str) -> None:
    rom = bytearray(cartridge("nop", kind=0x03, ram=2))
    rom[address] = byte
    with pytest.raises(BadCartridge, match=re.escape(message)) as caught:
        read_header(bytes(rom))
    assert "\n" not in str(caught.value)


def test_a_rom_that_ends_before_its_header() -> None:
    with pytest.raises(BadCartridge, match=r"the ROM has 100 bytes and ends before"):
        read_header(bytes(100))


def test_a_multicart_has_a_second_logo() -> None:
    rom = bytearray(cartridge("nop", kind=0x01, banks=64))
    logo = bytes(range(1, 49))
    rom[0x104:0x134] = logo
    assert not read_header(bytes(rom)).multicart
    rom[0x40104:0x40134] = logo
    assert read_header(bytes(rom)).multicart
