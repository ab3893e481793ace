"""Results in folders that are not there: these are made, by every command, once all is well."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_programs import Run
from every_case import every_case

OUTPUTS = [
    "ca65 ok.s -o new/deep/x.o",
    "ca65 ok.s -o ok.o -l new/deep/x.lst",
    "ca65 ok.s -o ok.o --create-dep new/deep/x.d",
    "ld65 -t none ok.o -o new/deep/x.bin",
    "ld65 -t none ok.o -o x.bin -m new/deep/x.map",
    "ld65 -t none ok.o -o x.bin -Ln new/deep/x.lbl",
    "ld65 -t none ok.o -o x.bin --dbgfile new/deep/x.dbg",
    "ar65 a new/deep/x.lib ok.o",
    "cl65 -t none -o new/deep/x.bin ok.s",
    "asm ok.s -o new/deep/x.bin",
    "rgbasm -o new/deep/x.o ok.asm",
    "rgbasm -o gb.o -M new/deep/x.d ok.asm",
    "rgblink -o new/deep/x.gb gb.o",
    "rgblink -o x.gb -n new/deep/x.sym gb.o",
    "rgblink -o x.gb -m new/deep/x.map gb.o",
    "rgbfix -o new/deep/x.gb ok.gb",
    "rgbgfx -o new/deep/x.2bpp ok.png",
]


@pytest.fixture
def sources(tmp_path: Path, romproof: Run) -> Path:
    (tmp_path / "ok.s").write_text(".byte 1\n")
    (tmp_path / "ok.asm").write_text('SECTION "a", ROM0\n db 1\n')
    (tmp_path / "ok.gb").write_bytes(bytes(0x8000))
    (tmp_path / "ok.2bpp").write_bytes(bytes(16))
    assert romproof("ca65", "ok.s").returncode == 0
    assert romproof("rgbasm", "-o", "gb.o", "ok.asm").returncode == 0
    assert romproof("rgbgfx", "-r", "1", "-o", "ok.2bpp", "ok.png").returncode == 0
    return tmp_path


@pytest.mark.usefixtures("sources")
@every_case("command", OUTPUTS)
def test_the_folder_is_made(romproof: Run, tmp_path: Path, command: str) -> None:
    done = romproof(*command.split())
    assert done.returncode == 0, done.stderr
    (made,) = (tmp_path / "new" / "deep").iterdir()
    assert made.name.startswith("x.")
    made.unlink()
    made.parent.rmdir()
    made.parent.parent.rmdir()


@pytest.mark.usefixtures("sources")
@every_case("command", OUTPUTS)
def test_a_file_is_no_folder(romproof: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "file").write_text("as it was")
    done = romproof(*command.replace("new/deep", "file").split())
    assert done.returncode == 1
    assert "Not a directory" in done.stderr
    assert "file/x." in done.stderr
    assert (tmp_path / "file").read_text() == "as it was"


@every_case(
    "command",
    [
        "ca65 bad.s -o new/x.o -l new/x.lst",
        "ld65 -t none none.o -o new/x.bin",
        "asm bad.s -o new/x.bin",
        "rgbasm -o new/x.o bad.s",
        "rgblink -o new/x.gb none.o",
        "rgbfix -o new/x.gb none.gb",
        "rgbgfx -o new/x.2bpp none.png",
    ],
)
def test_a_failed_build_makes_none(romproof: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "bad.s").write_text(" nonsense !\n")
    assert romproof(*command.split()).returncode in (1, 2)
    assert not (tmp_path / "new").exists()
