"""Names and texts that are not ASCII go through assembler and linker as the bytes they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_programs import Run

NAMES = ("Pokédex Text", "図鑑", "a ß b")


def program(name: str) -> str:
    return (
        f'SECTION "{name}", ROMX\nentry:: db 1\nSECTION "Main", ROM0\n'
        f'db BANK("{name}"), SIZEOF("{name}")\n'
        f'ASSERT LOW(entry) == 0, "{name} is not aligned"\n'
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_section_is_called_what_the_source_calls_it(
    romproof: Run, tmp_path: Path, name: str
) -> None:
    (tmp_path / "a.asm").write_text(program(name), "utf-8")
    (tmp_path / "a.link").write_text(f'ROMX 5\n"{name}"\nROM0\n"Main"\n', "utf-8")
    assert romproof("rgbasm", "-o", "a.o", "a.asm").returncode == 0
    # rgbds(5): a string is the source's bytes and a zero
    object_ = (tmp_path / "a.o").read_bytes()
    raw = name.encode("utf-8")
    assert object_.count(raw + b"\0") == 2  # the section and BANK
    assert raw + b" is not aligned\0" in object_
    done = romproof("rgblink", "-l", "a.link", "-m", "a.map", "-o", "a.gb", "a.o")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.gb").read_bytes()[:2] == bytes([5, 1])
    assert f'["{name}"]' in (tmp_path / "a.map").read_text("utf-8")


def test_what_is_no_utf8_stays_as_it_is(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "a.asm").write_bytes(b'SECTION "caf\xe9", ROM0\n db 1\n')
    assert romproof("rgbasm", "-o", "a.o", "a.asm").returncode == 0
    assert b"caf\xe9\0" in (tmp_path / "a.o").read_bytes()
    done = romproof("rgblink", "-m", "a.map", "-o", "a.gb", "a.o")
    assert done.returncode == 0
    assert b'["caf\xe9"]' in (tmp_path / "a.map").read_bytes()


@pytest.mark.parametrize("text", ["é", "日", "🂡", "plain"])
def test_a_definition_is_the_same_as_in_the_source(
    romproof: Run, tmp_path: Path, text: str
) -> None:
    (tmp_path / "a.asm").write_text('SECTION "a", ROM0\n db "{Q}", STRLEN("{Q}")\n', "utf-8")
    (tmp_path / "b.asm").write_text(
        f'DEF Q EQUS "{text}"\nSECTION "a", ROM0\n db "{{Q}}", STRLEN("{{Q}}")\n', "utf-8"
    )
    assert romproof("rgbasm", "-D", f"Q={text}", "-o", "a.o", "a.asm").returncode == 0
    assert romproof("rgbasm", "-o", "b.o", "b.asm").returncode == 0
    roms = []
    for name in "ab":
        done = romproof("rgblink", "-o", f"{name}.gb", f"{name}.o")
        assert done.returncode == 0
        roms.append((tmp_path / f"{name}.gb").read_bytes())
    raw = text.encode("utf-8")
    assert roms[0] == roms[1]
    assert roms[0][: len(raw) + 1] == raw + bytes([len(text)])


def test_a_file_that_is_included_first(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "先 é.inc").write_text("DEF X EQU 7\n", "utf-8")
    (tmp_path / "a.asm").write_text('SECTION "a", ROM0\n db X\n', "utf-8")
    done = romproof("rgbasm", "-P", "先 é.inc", "-o", "a.o", "a.asm")
    assert (done.returncode, done.stderr) == (0, "")
