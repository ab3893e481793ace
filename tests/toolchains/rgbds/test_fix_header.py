"""Headers of ROMs. The bytes and warnings are those of rgbfix 1.0.3."""

from __future__ import annotations

import pytest

from romproof.machine.gameboy.header import read_header
from romproof.text.diagnostic import BuildFailed, Diagnostics, Severity
from romproof.toolchains.rgbds.fix import (
    Color,
    FixOptions,
    Mbc,
    check_header,
    fix,
    logo_from_tiles,
    parse_mbc,
)
from romproof.toolchains.rgbds.fix.header_fields import (
    NINTENDO_LOGO,
    global_checksum,
    header_checksum,
)

EMPTY = bytes(0x8000)


def fixed(options: FixOptions, rom: bytes = EMPTY) -> tuple[bytes, list[str]]:
    """The ROM with its header, and the warnings."""
    diagnostics = Diagnostics()
    result = fix(rom, options, diagnostics)
    assert all(d.severity is Severity.WARNING for d in diagnostics.items)
    return result, [f"{d.message} [{d.option}]" for d in diagnostics.items]


def test_what_is_not_asked_for_stays_as_it_is() -> None:
    rom = bytes(range(256)) * 4
    assert fixed(FixOptions(), rom) == (rom, [])


def test_a_whole_header() -> None:
    rom, warnings = fixed(
        FixOptions(
            fix="lhg",
            title=b"SURVIVALKID",
            game_id=b"AVKE",
            color=Color.COMPATIBLE,
            new_licensee=b"A4",
            sgb=True,
            mbc=Mbc(0x1B),
            ram_size=3,
            non_japanese=True,
            old_licensee=0x33,
            rom_version=2,
            pad=0xFF,
        )
    )
    assert warnings == []
    assert rom[0x104:0x134] == NINTENDO_LOGO
    assert rom[0x134:0x150].hex() == ("535552564956414c4b494441564b45804134031b0003013302201b2d")
    assert read_header(rom).title == "SURVIVALKIDAVKE"
    assert check_header(rom) == []


@pytest.mark.parametrize(
    ("size", "padded", "code"),
    [
        (0x150, 0x8000, 0),
        (0x4000, 0x8000, 0),
        (0x8000, 0x8000, 0),
        (0x8001, 0x10000, 1),
        (0xC000, 0x10000, 1),
        (0x14000, 0x20000, 2),
    ],
)
def test_padding(size: int, padded: int, code: int) -> None:
    rom, _ = fixed(FixOptions(pad=0xEE, fix="g"), b"\x11" * size)
    assert len(rom) == padded
    assert rom[0x148] == code
    assert set(rom[size:]) <= {0xEE}
    assert rom[0x14E:0x150] == global_checksum(rom)


def test_wrong_on_purpose() -> None:
    rom, _ = fixed(FixOptions(fix="LHG", rom_version=1))
    assert rom[0x104:0x134] == bytes(byte ^ 0xFF for byte in NINTENDO_LOGO)
    assert rom[0x14D] == header_checksum(rom) ^ 0xFF
    assert rom[0x14E:0x150] == bytes(byte ^ 0xFF for byte in global_checksum(rom))


def test_a_logo_of_ones_own() -> None:
    logo = logo_from_tiles(bytes(range(48)))
    assert logo.hex() == (
        "00000123000089ab11110123111189ab22220123222289ab"
        "000045670000cdef111145671111cdef222245672222cdef"
    )
    rom, _ = fixed(FixOptions(fix="l", logo=logo))
    assert rom[0x104:0x134] == logo


def test_tpp1() -> None:
    options = FixOptions(mbc=parse_mbc("TPP1_1.2+BATTERY+MULTIRUMBLE"), ram_size=8)
    rom, warnings = fixed(options)
    assert warnings == []
    assert rom[0x147:0x154].hex() == "bc00c16500000000000102080b"


def test_what_was_there_is_told() -> None:
    rom = bytearray(EMPTY)
    rom[0x134], rom[0x14C] = 1, 7
    assert fixed(FixOptions(title=b"T", rom_version=7, fix="h"), bytes(rom))[1] == [
        "overwrote a non-zero byte in the title [-Woverwrite]"
    ]
    assert fixed(FixOptions(title=b"T", warnings=("no-overwrite",)), bytes(rom))[1] == []
    assert fixed(FixOptions(title=b"T", silent=True), bytes(rom))[1] == []


@pytest.mark.parametrize(
    ("options", "title", "shown"),
    [
        (FixOptions(title=b"0123456789ABCDEFG"), b"0123456789ABCDEF", 16),
        (FixOptions(title=b"0123456789ABCDEF", color=Color.ONLY), b"0123456789ABCDE\xc0", 15),
        (FixOptions(title=b"0123456789AB", game_id=b"abcd"), b"0123456789Aabcd\0", 11),
    ],
)
def test_long_titles(options: FixOptions, title: bytes, shown: int) -> None:
    rom, warnings = fixed(options)
    assert rom[0x134:0x144] == title
    assert len(warnings) == 1
    assert warnings[0].endswith(f"to {shown} chars [-Wtruncation]")


@pytest.mark.parametrize(
    ("options", "warning"),
    [
        (FixOptions(mbc=Mbc(0x13), ram_size=0), 'MBC "MBC3+RAM+BATTERY" has RAM, but'),
        (FixOptions(mbc=Mbc(0x13), ram_size=1), "RAM size 1 (2 KiB) was specified"),
        (FixOptions(mbc=Mbc(0x11), ram_size=2), 'MBC "MBC3" has no RAM, but RAM size was set to 2'),
        (FixOptions(mbc=Mbc(0x42), ram_size=2), 'MBC "(unknown)" has no RAM'),
        (FixOptions(mbc=Mbc(0x08)), 'MBC "ROM+RAM" is under-specified'),
        (FixOptions(mbc=parse_mbc("TPP1_1.0"), non_japanese=True), "TPP1 has its identification"),
        (FixOptions(mbc=parse_mbc("TPP1_1.0+RAM")), "TPP1 requests RAM implicitly"),
        (FixOptions(mbc=parse_mbc("MBC3+TIMER")), '"MBC3+TIMER" implies "BATTERY"'),
        (FixOptions(sgb=True, old_licensee=1), "but old licensee is 0x01, not 0x33 [-Wsgb]"),
        (FixOptions(sgb=True), "but old licensee was 0x00, not 0x33 [-Wsgb]"),
        (FixOptions(new_licensee=b"abc"), 'truncating new licensee "abc" to 2 chars'),
        (FixOptions(game_id=b"abcde"), 'truncating game ID "abcde" to 4 chars'),
    ],
)
def test_settings_that_do_not_go_together(options: FixOptions, warning: str) -> None:
    warnings = fixed(options)[1]
    assert len(warnings) == 1
    assert warning in warnings[0]


def test_a_warning_made_an_error() -> None:
    rom = b"\x01" * 0x8000
    diagnostics = Diagnostics()
    result = fix(rom, FixOptions(rom_version=2, warnings=("error",)), diagnostics)
    assert result[0x14C] == 2
    assert diagnostics.errors == 1


@pytest.mark.parametrize(
    ("size", "mbc", "message"),
    [
        (0x14F, None, r'"it" is too short, expected at least 336 \(\$150\) bytes, got only 335'),
        (0x153, "TPP1 1.0", r"expected at least 340 \(\$154\) bytes, got only 339"),
    ],
)
def test_a_rom_that_is_too_short(size: int, mbc: str | None, message: str) -> None:
    options = FixOptions(mbc=None if mbc is None else parse_mbc(mbc))
    with pytest.raises(BuildFailed, match=message):
        fix(bytes(size), options, Diagnostics(), "it")


def test_faults_that_are_found() -> None:
    faults = check_header(bytes(0x8000))
    assert [fault.partition(" at ")[0] for fault in faults] == [
        "the logo",
        "the header's checksum",
    ]
    rom = bytearray(fixed(FixOptions(fix="lhg", pad=0))[0])
    assert check_header(bytes(rom)) == []
    rom[0x200] = 1
    assert check_header(bytes(rom))[0].startswith("the checksum at $014E is $")
    assert "has 16384 bytes; the byte at $0148 (ROM size), $00, says 32768" in str(
        check_header(bytes(rom[:0x4000]))
    )
    assert "$09; valid are $00 to $08" in str(check_header(bytes(0x148) + b"\x09" * 0x7EB8))
    assert check_header(b"") == ["the ROM has 0 bytes and ends before $0150, where its header ends"]
