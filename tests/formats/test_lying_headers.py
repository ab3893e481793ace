"""Headers that lie, and boards that are not emulated: one line that names the file and says what to
do, or a warning and a program that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import romproof
from romproof.formats.errors import SymbolWarning
from romproof.formats.ines import read_ines
from romproof.text.errors import RomproofError

DISK_DUDE = b"DiskDude!"


def _nes(*flags: int, prg: int = 1, chr: int = 0, size: int | None = None) -> bytes:
    header = b"NES\x1a" + bytes([prg, chr, *flags]).ljust(12, b"\0")
    body = bytes(0x4000 * prg + 0x2000 * chr if size is None else size)
    return header + body


def _game_boy(kind: int = 0, rom: int = 0, ram: int = 0, size: int = 0x8000) -> bytes:
    data = bytearray(size)
    data[0x147:0x14A] = bytes([kind, rom, ram])
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.nes", _nes(0x10, 0x70), "mapper 113 is not emulated; the emulated ones are 0, 1"),
        ("a.nes", _nes(0, 0x08, 0x01), "mapper 256 is not emulated"),
        ("a.nes", _nes(0, 0x08, 0, 0x0F, prg=2), "5 bytes of PRG, which are no whole pages"),
        ("a.nes", _nes(0, 0x08, 0, 0xF0, chr=1), "3 bytes of CHR, which are no whole pages"),
        ("a.nes", _nes(4), "a trainer of 512 bytes: 16912 bytes in all; this file has 16400"),
        ("a.gb", _game_boy(0xFC), "$FC at $0147 (POCKET CAMERA) is not supported; supported are"),
        ("a.gb", _game_boy(0x77), "$77 at $0147 is not known; supported are ROM only, MBC1"),
        ("a.gb", _game_boy(3, ram=9), "the byte at $0149 (RAM size) is $09; valid are $00 to $05"),
        ("a.gb", _game_boy(1, rom=0x52), "the byte at $0148 (ROM size) is $52; valid are"),
    ],
)
def test_what_is_no_board_is_one_line(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(RomproofError) as failure:
        romproof.load(tmp_path / name)
    text = str(failure.value)
    assert told in text
    assert name in text
    assert "\n" not in text


@pytest.mark.parametrize("name", ["a.nes", "a.gb"])
def test_flat_memory_needs_no_board(tmp_path: Path, name: str) -> None:
    data = bytearray(_nes(0x10, 0x70, prg=2) if name == "a.nes" else _game_boy(0xFC))
    at = 0x10 if name == "a.nes" else 0x200
    data[at] = 0x60 if name == "a.nes" else 0xC9
    (tmp_path / name).write_bytes(data)
    rom = romproof.load(tmp_path / name, machine="flat")
    assert rom.call(0x8000 if name == "a.nes" else 0x200).cycles in (4, 6)


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.nes", _nes(0, 1), "a.nes is for a Vs. System, as bits 0 and 1 of byte 7 say"),
        ("a.nes", _nes(0, 2), "a.nes is for a PlayChoice-10"),
        ("a.nes", _nes(0, 0x0B), "a.nes is for a console that byte 13 names"),
        ("a.nes", _nes(size=0x4001), "a.nes has 1 bytes more than its header names"),
        ("a.gb", _game_boy(1, size=0x10000), "a.gb has 65536 bytes, its header says 32768: all"),
    ],
)
def test_what_is_strange_is_a_warning(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.warns(SymbolWarning) as found:
        romproof.load(tmp_path / name)
    assert any(told in str(each.message) for each in found)


@pytest.mark.parametrize(
    ("data", "version", "mapper"),
    [
        (b"NES\x1a\x01\x00\x10" + DISK_DUDE, 0, 1),
        (b"NES\x1a\x01\x00\x10" + b"\0demiforce", 0, 1),
        (b"NES\x1a\x01\x00\x10\x40" + bytes(8), 1, 0x41),
        (b"NES\x1a\x01\x00\x10\x48\x01" + bytes(7), 2, 0x141),
        (b"NES\x1a\x01\x00\x10\x44" + bytes(8), 0, 1),
    ],
)
def test_names_of_old_tools_are_no_mapper(data: bytes, version: int, mapper: int) -> None:
    header = read_ines(data[:16].ljust(16, b"\0") + bytes(0x4000))
    assert (header.version, header.mapper) == (version, mapper)
