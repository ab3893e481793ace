"""The tools of RGBDS: how ``--dialect`` is read, and that no tool overwrites what it reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_programs import Run

from romproof.toolchains.rgbds.gfx.png_write import png_of_grays

OLD = 'X EQU 1\nSECTION "a", ROM0\n  db X\n  halt\n'


@pytest.fixture(autouse=True)
def sources(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "old.inc").write_text("Y EQU 2\n")
    (tmp_path / "old.asm").write_text(OLD)
    (tmp_path / "with.asm").write_text('INCLUDE "old.inc"\n')
    (tmp_path / "args").write_text("# old\n--dialect 0.5\n")


@pytest.mark.parametrize(
    "words",
    [
        "--dialect 0.5 -h old.asm",
        "--dialect=0.5 -h old.asm",
        "--dia 0.5 -h old.asm",
        "-h --dial=0.5 old.asm",
        "-dialect 0.5 -h old.asm",
        "@args -h old.asm",
        "--dialect 0.5 -iinc with.asm",
        "--dialect 0.5 -i inc/ with.asm",
        "--dialect 0.5 --include inc with.asm",
        "-D --dialect --dialect 0.5 -h old.asm",
    ],
)
def test_a_dialect_is_read_as_other_options_are(romproof: Run, words: str) -> None:
    done = romproof("rgbasm", *words.split())
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("-D --dialect old.asm", "Undefined macro `X`"),
        ("-- --dialect", "--dialect: No such file"),
        ("-iinc with.asm", "'-i' is an option of older RGBDS: write '-I DIR'"),
        ("--dialect 0.5 --dialect 1 old.asm", "'--dialect 1': there are 0.5 and 0.6"),
        ("--dialect 0.4 old.asm", "'--dialect 0.4': there are 0.5 and 0.6"),
        ("old.asm --dialect", "needs an argument"),
    ],
)
def test_what_is_no_dialect(romproof: Run, words: str, told: str) -> None:
    done = romproof("rgbasm", *words.split())
    assert done.returncode != 0
    assert told in done.stderr


@pytest.mark.parametrize("tool", ["rgbasm", "rgblink", "rgbfix", "rgbgfx"])
def test_help_is_there_in_each_dialect(romproof: Run, tool: str) -> None:
    done = romproof(tool, "--dialect", "0.5", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: romproof {tool} ")


_IS_INPUT, _IS_TWICE = "is an input of the command", "is another output of the command"


@pytest.mark.parametrize(
    ("words", "kept", "why"),
    [
        ("rgbasm -o new.asm new.asm", "new.asm", _IS_INPUT),
        ("rgbasm -o ./new.asm new.asm", "new.asm", _IS_INPUT),
        ("rgbasm -I inc -o inc/new.inc more.asm", "inc/new.inc", _IS_INPUT),
        ("rgbasm -P inc/new.inc -o inc/new.inc new.asm", "inc/new.inc", _IS_INPUT),
        ("rgbasm -M new.asm -o new.x new.asm", "new.asm", _IS_INPUT),
        ("rgbasm -M x -o x new.asm", "", _IS_TWICE),
        ("rgbasm -s all:x -o x new.asm", "", _IS_TWICE),
        ("rgblink -o new.o new.o", "new.o", _IS_INPUT),
        ("rgblink -n new.o new.o", "new.o", _IS_INPUT),
        ("rgblink -o x -m x new.o", "", _IS_TWICE),
        ("rgblink -l place.link -o place.link new.o", "place.link", _IS_INPUT),
        ("rgblink -O base.gb -o base.gb fixed.o", "base.gb", _IS_INPUT),
        ("rgbgfx -o p.png p.png", "p.png", _IS_INPUT),
        ("rgbgfx -o x -t x p.png", "", _IS_TWICE),
        ("rgbgfx -u -T -o p.tilemap p.png", "", _IS_TWICE),
        ("rgbgfx -c gbc:p.pal -p p.pal p.png", "p.pal", _IS_INPUT),
        ("rgbgfx -u -i p.2bpp -o p.2bpp p.png", "p.2bpp", _IS_INPUT),
        ("rgbgfx -r 1 -o p.2bpp p.2bpp", "p.2bpp", _IS_INPUT),
        ("rgbfix -L logo -o logo base.gb", "logo", _IS_INPUT),
    ],
)
def test_what_is_read_is_not_overwritten(
    romproof: Run, tmp_path: Path, words: str, kept: str, why: str
) -> None:
    _make_files(romproof, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = romproof(*words.split())
    assert (done.returncode, why in done.stderr) == (2, True), done.stderr
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before
    assert not kept or tmp_path / kept in before


def _make_files(romproof: Run, folder: Path) -> None:
    (folder / "inc" / "new.inc").write_text("DEF Y EQU 2\n")
    (folder / "new.asm").write_text('SECTION "a", ROM0\n  db 1\n')
    (folder / "more.asm").write_text('INCLUDE "new.inc"\n')
    (folder / "fixed.asm").write_text('SECTION "a", ROM0[0]\n  db 1\n')
    (folder / "place.link").write_text('ROM0\n  "a"\n')
    (folder / "base.gb").write_bytes(bytes(0x8000))
    (folder / "logo").write_bytes(bytes(48))
    (folder / "p.2bpp").write_bytes(bytes(16))
    (folder / "p.pal").write_bytes(bytes.fromhex("ff7f b556 4a29 0000"))
    (folder / "p.png").write_bytes(png_of_grays([[0] * 8] * 8, 8, 8, 2))
    for name in ("new", "fixed"):
        assert romproof("rgbasm", "-o", f"{name}.o", f"{name}.asm").returncode == 0


def test_a_rom_may_be_written_in_place_by_its_name(romproof: Run, tmp_path: Path) -> None:
    _make_files(romproof, tmp_path)
    assert romproof("rgbfix", "-v", "-o", "base.gb", "base.gb").returncode == 0
    assert romproof("rgbasm", "-o", "/dev/null", "-M", "/dev/null", "new.asm").returncode == 0
