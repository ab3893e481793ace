"""Headers of NES images: what nesdev.org/wiki says of their bytes."""

from __future__ import annotations

import pytest
from every_case import every_case

from romproof.formats.errors import BadImage
from romproof.formats.ines import read_ines

K = 1024


def image(prg: int = 1, chr: int = 1, flags: bytes = b"", size: int | None = None) -> bytes:
    header = (b"NES\x1a" + bytes([prg, chr]) + flags).ljust(16, b"\0")
    return header + bytes(prg * 16 * K + chr * 8 * K if size is None else size)


def test_ines() -> None:
    ines = read_ines(image(2, 1, b"\x13\x40"))
    assert (ines.version, ines.mapper, ines.submapper) == (1, 0x41, 0)
    assert (ines.prg, ines.chr) == (slice(16, 16 + 32 * K), slice(16 + 32 * K, 16 + 40 * K))
    assert ines.trainer == slice(16, 16)
    assert (ines.mirroring, ines.has_battery, ines.timing) == ("vertical", True, "ntsc")
    assert (ines.prg_ram, ines.prg_nvram, ines.chr_ram) == (0, 8 * K, 0)


def test_nes_2() -> None:
    flags = bytes([0x18, 0x48, 0x5A, 0x00, 0x97, 0x07, 0x01])
    ines = read_ines(image(1, 0, flags))
    assert (ines.version, ines.mapper, ines.submapper) == (2, 0xA41, 5)
    assert (ines.mirroring, ines.timing, ines.console) == ("four-screen", "pal", "nes")
    assert (ines.prg_ram, ines.prg_nvram) == (64 << 7, 64 << 9)
    assert (ines.chr_ram, ines.chr_nvram) == (64 << 7, 0)


@every_case("number, name", [(0, "ntsc"), (1, "pal"), (2, "multi"), (3, "dendy")])
def test_timing_of_nes_2(number: int, name: str) -> None:
    assert read_ines(image(flags=bytes([0, 8, 0, 0, 0, 0, number]))).timing == name


def test_timing_of_ines() -> None:
    assert read_ines(image(flags=bytes([0, 0, 0, 1]))).timing == "pal"


def test_large_sizes_of_nes_2() -> None:
    """A high nibble of 1 is 256 more units; $F says 2^E * (2M+1) bytes."""
    ines = read_ines(image(0, 0, bytes([0, 8, 0, 0x01]), size=256 * 16 * K))
    assert ines.prg_size == 256 * 16 * K
    ines = read_ines(image(14 << 2 | 1, 13 << 2, bytes([0, 8, 0, 0xFF]), size=56 * K))
    assert (ines.prg_size, ines.chr_size) == (48 * K, 8 * K)
    with pytest.raises(BadImage, match=r"2\^63"):
        read_ines(image(0xFF, 0, bytes([0, 8, 0, 0x0F]), size=16 * K))


@every_case("words", [b"DiskDude!", b"aster\0NI3", b"demiforce"])
def test_what_old_tools_left_in_the_header(words: bytes) -> None:
    ines = read_ines(image(flags=b"\x21" + words))
    assert (ines.version, ines.mapper, ines.timing, ines.console) == (0, 2, "ntsc", "nes")
    assert ines.prg_ram == 8 * K


@every_case("words", [b"HackersX", b"\x09Ruder99", b"Kopie no.1"])
def test_text_that_looks_like_nes_2(words: bytes) -> None:
    """Its sizes are more than there is, and those of iNES are not."""
    ines = read_ines(image(2, 1, b"\x21" + words))
    assert (ines.version, ines.mapper, ines.submapper, ines.prg_size) == (0, 2, 0, 32 * K)


def test_nes_2_that_is_cut_off_is_nes_2() -> None:
    with pytest.raises(BadImage, match=r"4128 KiB of PRG.* it may be cut off"):
        read_ines(image(2, 0, bytes([0, 8, 0, 1]), size=16 * K))


def test_trainer() -> None:
    ines = read_ines(image(flags=b"\x04", size=512 + 24 * K))
    assert (ines.trainer, ines.prg.start) == (slice(16, 528), 528)
    assert ines.excess == 0


def test_chr_ram() -> None:
    ines = read_ines(image(1, 0))
    assert (ines.chr_size, ines.chr_ram) == (0, 8 * K)


def test_more_than_the_header_says() -> None:
    assert read_ines(image(size=24 * K + 128)).excess == 128


def test_half_of_a_file_that_no_header_names() -> None:
    """Titles and the like may follow, and what PlayChoice and NES 2.0 have besides; not ROM."""
    with pytest.raises(BadImage, match=r"16384 bytes follow them: correct its sizes.* after 24592"):
        read_ines(image(size=40 * K))
    assert read_ines(image(size=32 * K - 1)).excess == 8 * K - 1
    assert read_ines(image(flags=b"\0\x02", size=32 * K + 32)).console == "playchoice"
    assert read_ines(image(flags=bytes([0, 8, 0, 0, 0, 0, 0, 0, 1]), size=40 * K)).version == 2


@every_case(
    "data, words",
    [
        (b"", "header of 16 bytes"),
        (b"NES\x1a", "this file has 4"),
        (b"FDS\x1a" + bytes(70000), "does not begin with"),
        (image(size=24 * K - 1), "cut off"),
        (image(flags=b"\x04"), "trainer of 512 bytes"),
        (image(0, 0, bytes([0, 8]), size=100), "no program ROM"),
        (image(0, 0), "4096 KiB of PRG"),
    ],
    ids=["empty", "short", "foreign", "cut", "trainer", "no program", "0 is 256"],
)
def test_what_is_no_image(data: bytes, words: str) -> None:
    with pytest.raises(BadImage, match=words):
        read_ines(data)
