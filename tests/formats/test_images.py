"""Which images are loaded, where their bytes are, and which are refused by name."""

from __future__ import annotations

import pytest
from every_case import every_case

from romproof.formats.errors import BadImage
from romproof.formats.images import REFUSED, is_image, read_layout
from romproof.formats.layout import ImageLayout

K = 1024
LOGO = bytes.fromhex("ceed6666cc0d000b03730083000c000d")


def nes(prg: int, chr: int = 0, flags6: int = 0, flags7: int = 0) -> bytes:
    """An image whose pages of 8 KiB begin with their number."""
    header = (b"NES\x1a" + bytes([prg, chr, flags6, flags7])).ljust(16, b"\0")
    pages = b"".join(bytes([n]) * (8 * K) for n in range(2 * prg))
    return header + pages + bytes(chr * 8 * K)


def gameboy(banks: int, logo: bytes = LOGO) -> bytes:
    data = bytearray(b"".join(bytes([n]) * (16 * K) for n in range(banks)))
    data[0x104 : 0x104 + len(logo)] = logo
    data[0x148] = 0
    return bytes(data)


def banks(layout: ImageLayout) -> list[tuple[str, int, int]]:
    return [(bank.area, bank.address, bank.size) for bank in layout.banks]


@every_case(
    "prg, flags6, wanted, first",
    [
        (1, 0x00, [("PRG[0]", 0xC000, 16 * K)], ("PRG[0]",)),
        (2, 0x00, [("PRG[0]", 0x8000, 32 * K)], ("PRG[0]",)),
        (
            4,
            0x10,
            [(f"PRG[{n}]", 0x8000 if n < 3 else 0xC000, 16 * K) for n in range(4)],
            ("PRG[0]", "PRG[3]"),
        ),
        (
            2,
            0x40,
            [(f"PRG[{n}]", 0x8000 + n * 8 * K, 8 * K) for n in range(4)],
            ("PRG[0]", "PRG[1]", "PRG[2]", "PRG[3]"),
        ),
        (4, 0x70, [(f"PRG[{n}]", 0x8000, 32 * K) for n in range(2)], ("PRG[0]",)),
    ],
    ids=["NROM-128", "NROM-256", "MMC1", "MMC3", "AxROM"],
)
def test_pages_of_prg(
    prg: int, flags6: int, wanted: list[tuple[str, int, int]], first: tuple[str, ...]
) -> None:
    layout = read_layout("game.nes", nes(prg, 1, flags6))
    assert (layout.machine, banks(layout), layout.first) == ("nes", wanted, first)
    for bank in layout.banks:
        assert layout.data[bank.offset] == (bank.offset - 16) // (8 * K)


def test_the_header_the_trainer_and_chr_are_no_memory() -> None:
    data = nes(1, 1, 0x04)
    layout = read_layout("game.nes", data[:16] + bytes(512) + data[16:])
    assert [layout.at_offset(at) for at in (0, 16, 527, 528 + 16 * K)] == [None] * 4
    place = layout.at_offset(528)
    assert place is not None
    assert (place.area, place.address) == ("PRG[0]", 0xC000)
    assert [what for _, what in layout.skipped] == ["the header", "the trainer", "CHR"]


def test_ram_at_6000_under_a_header_that_does_not_say_it() -> None:
    layout = read_layout("game.nes", nes(1))
    assert [(ram.area, ram.address, ram.size) for ram in layout.rams] == [
        ("RAM", 0, 0x800),
        ("SRAM", 0x6000, 0x2000),
    ]
    data = bytearray(nes(1))
    data[7] = 0x08  # NES 2.0 says it: there is none
    assert [ram.area for ram in read_layout("game.nes", bytes(data)).rams] == ["RAM"]


def test_a_file_that_is_longer_than_its_header_says() -> None:
    (note,) = read_layout("game.nes", nes(1) + bytes(10)).notes
    assert "10 bytes more" in note


def test_banks_of_a_game_boy_cartridge() -> None:
    layout = read_layout("game.gb", gameboy(4))
    assert (layout.machine, layout.cpu, layout.first) == ("gameboy", "sm83", ("ROMX[1]",))
    assert banks(layout) == [
        ("ROM0", 0, 16 * K),
        ("ROMX[1]", 0x4000, 16 * K),
        ("ROMX[2]", 0x4000, 16 * K),
        ("ROMX[3]", 0x4000, 16 * K),
    ]
    assert [place.area for place in layout.at_address(0xD123, 3)] == ["WRAMX[3]"]


def test_a_game_boy_cartridge_that_is_called_otherwise() -> None:
    """The logo tells: pokered makes .gbc files with headers of the first Game Boy."""
    assert read_layout("game.bin", gameboy(2)).machine == "gameboy"
    assert read_layout("game.gbc", gameboy(2, b"")).machine == "gameboy"


def test_a_game_boy_cartridge_that_is_cut_off() -> None:
    data = bytearray(gameboy(4))
    data[0x148] = 2
    assert "its header says 131072" in read_layout("game.gb", bytes(data)).notes[0]


def _fixed(data: bytes, size: int) -> bytes:
    """A header as rgbfix -v leaves it, with ``size`` as the size of the ROM."""
    fixed = bytearray(data)
    fixed[0x148] = size
    fixed[0x14D] = -sum(fixed[0x134:0x14D]) - 0x19 & 0xFF
    fixed[0x14E:0x150] = b"\0\0"
    fixed[0x14E:0x150] = (sum(fixed) & 0xFFFF).to_bytes(2, "big")
    return bytes(fixed)


@pytest.mark.parametrize("length", [0x150, 0x4000, 0x8000, 0xFFFF])
def test_a_game_boy_cartridge_whose_sum_shows_that_it_is_cut_off(length: int) -> None:
    data = bytearray(gameboy(4))
    data[0x200], data[-1] = 1, 7  # what is cut off is in the sum
    whole = _fixed(bytes(data), 1)
    assert read_layout("game.gb", whole).notes == ()
    with pytest.raises(
        BadImage, match=f"^game.gb: the header says 65536 .* has {length}, .*cut off"
    ):
        read_layout("game.gb", whole[:length])


def test_a_game_boy_cartridge_that_is_only_not_padded_can_be_loaded() -> None:
    data = _fixed(gameboy(4)[:0x9000], 1)
    assert "not padded" in read_layout("game.gb", data).notes[0]
    unfixed = bytearray(data)
    unfixed[0x14D] ^= 1  # rgbfix has not been run: nothing of the header counts
    unfixed[0x14E] ^= 1
    assert "not padded" in read_layout("game.gb", bytes(unfixed)).notes[0]


def test_prg() -> None:
    layout = read_layout("game.prg", b"\x01\x08" + bytes(100))
    assert (layout.machine, banks(layout)) == ("c64", [("IMAGE", 0x0801, 100)])
    unnamed = read_layout("game", b"\x01\x08" + bytes(100), "c64")  # cl65 writes no ending
    assert (unnamed.machine, banks(unnamed)) == ("c64", [("IMAGE", 0x0801, 100)])
    assert [(ram.address, ram.end) for ram in layout.rams] == [(0, 0x0801), (0x0865, 0x10000)]


def test_bare_bytes_have_a_load_address() -> None:
    layout = read_layout("rom.bin", bytes(0x1000), load_address=0xF000)
    assert (layout.machine, banks(layout)) == ("flat", [("IMAGE", 0xF000, 0x1000)])
    layout = read_layout("rom.bin", bytes(16), "c64", 0x1000)
    assert layout.machine == "c64"
    layout = read_layout("rom.bin", bytes(16), load_address=0x100, cpu="sm83")
    assert layout.cpu == "sm83"


def test_flat_memory_takes_images_of_machines() -> None:
    layout = read_layout("game.nes", nes(2), "flat")
    assert (layout.machine, banks(layout)) == ("flat", [("PRG[0]", 0x8000, 32 * K)])


@every_case(
    "name, data, options, words",
    [
        ("x.bin", b"abc", {}, "load_address = 0x8000"),
        ("x.bin", bytes(0x200), {"load_address": 0xFF00}, "do not fit into 64 KiB"),
        ("x.bin", b"", {"load_address": 0}, "empty"),
        ("x.prg", b"\x01", {}, "load address in two bytes"),
        ("x.nes", b"abc", {}, "header of 16 bytes"),
        ("x.nes", nes(1), {"load_address": 0x8000}, "this image contains its addresses"),
        ("x.nes", nes(1), {"machine": "gameboy"}, "for the machine 'nes'"),
        ("x.nes", nes(1), {"machine": "ness"}, "did you mean 'nes'"),
        ("x.nes", nes(1), {"cpu": "sm83"}, "not sm83"),
        ("x.gb", b"abc", {}, "header up to"),
        ("x.xyz", b"abc", {}, "does not select a kind of image"),
        ("game", b"\x01\x08\xea", {}, "may have any name if the machine is given"),
        ("x", bytes(174_848), {}, "c1541"),
    ],
)
def test_what_cannot_be_loaded(
    name: str, data: bytes, options: dict[str, object], words: str
) -> None:
    with pytest.raises(BadImage, match=words):
        read_layout(name, data, **options)  # type: ignore[arg-type]


@every_case("ending", sorted(REFUSED))
def test_kinds_that_are_refused_by_name(ending: str) -> None:
    """The message says what the file is, and nothing is tried with it."""
    assert is_image(f"game{ending}")
    with pytest.raises(BadImage) as caught:
        read_layout(f"game{ending}", bytes(200_000))
    assert str(caught.value) == f"game{ending}: this is {REFUSED[ending]} [{ending}]"


@every_case(
    "beginning, words",
    [
        (b"PK\x03\x04", "packed"),
        (b"FDS\x1a", "Famicom Disk System"),
        (b"C64 CARTRIDGE   ", "cartconv"),
        (b"\x55\x7a\x6e\x61", "an object file"),
        (b"RGB9", "an object file"),
    ],
)
def test_kinds_that_are_known_by_how_they_begin(beginning: bytes, words: str) -> None:
    with pytest.raises(BadImage, match=words):
        read_layout("game.nes", beginning + bytes(1000))


BASIC = bytes.fromhex("0108 0b08 0a00 9e 32303631 00 0000 60")


@pytest.mark.parametrize("name", ["game", "game.c64", "spacekill"])
def test_a_program_with_a_line_of_basic_needs_no_ending(name: str) -> None:
    layout = read_layout(name, BASIC)
    assert (layout.machine, layout.cpu) == ("c64", "6510")
    assert banks(layout) == [("IMAGE", 0x0801, len(BASIC) - 2)]


@pytest.mark.parametrize("data", [BASIC[:6], BASIC.replace(b"\x9e", b"\x99"), b"\x00\xc0\x60"])
def test_other_files_without_an_ending_are_told_how_to_say_c64(data: bytes) -> None:
    with pytest.raises(BadImage, match='machine = "c64"'):
        read_layout("game", data)
    assert read_layout("game", data, machine="c64").machine == "c64"


def test_bare_bytes_stay_bare_bytes_whatever_they_begin_with() -> None:
    with pytest.raises(BadImage, match="load address"):
        read_layout("game.bin", BASIC)
    assert read_layout("game", BASIC, load_address=0x4000).machine == "flat"


def test_bytes_without_a_header_are_for_flat_memory() -> None:
    with pytest.raises(BadImage, match="whole image, which begins with a header"):
        read_layout("code.bin", bytes(16), "nes", 0x8000)
    assert read_layout("code.bin", bytes(16), "c64", 0x8000).machine == "c64"
