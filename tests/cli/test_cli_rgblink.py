"""``romproof rgblink``: the command line; what is linked is tested in tests/toolchains/rgbds."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from cli_programs import Run

from romproof.toolchains.rgbds.obj.model import (
    Node,
    NodeKind,
    ObjSection,
    ObjSymbol,
    SourcePosition,
    SymbolKind,
)
from romproof.toolchains.rgbds.obj.model import RgbdsObject as Object
from romproof.toolchains.rgbds.obj.rgb9 import write_object
from romproof.toolchains.rgbds.obj.types import SectionType


def write_small(path: Path, data: bytes = b"ABC", name: str = "code") -> None:
    """An object with one section in ROM0 and a label."""
    place = SourcePosition(Node(NodeKind.FILE, "a.asm"), 1)
    section = ObjSection(name, SectionType.ROM0, place, len(data), data=data)
    label = ObjSymbol("main", SymbolKind.EXPORT, place, 0, 0)
    path.write_bytes(write_object(Object("a", (label,), (section,), nodes=(place.node,))))


def test_rom_symbols_and_map(romproof: Run, tmp_path: Path) -> None:
    write_small(tmp_path / "a.o")
    done = romproof("rgblink", "-o", "a.gb", "-na.sym", "--map=a.map", "-p", "0xFF", "a.o")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "a.gb").read_bytes() == b"ABC" + b"\xff" * 0x3FFD
    assert "00:0000 main" in (tmp_path / "a.sym").read_text()
    assert "= main" in (tmp_path / "a.map").read_text()
    assert romproof("rgblink", "-M", "-m", "a.map", "a.o").returncode == 0
    assert "= main" not in (tmp_path / "a.map").read_text()


def test_standard_input_and_output(
    romproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_small(tmp_path / "a.o")
    stdin = io.TextIOWrapper(io.BytesIO((tmp_path / "a.o").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    done = romproof("rgblink", "-x", "-o", "-", "-")
    assert (done.returncode, done.stdout) == (0, "ABC")


def test_all_options_are_taken(romproof: Run, tmp_path: Path) -> None:
    write_small(tmp_path / "a.o")
    (tmp_path / "a.link").write_text('ROM0\norg 4\n"code"\n')
    (tmp_path / "old.gb").write_bytes(b"." * 0x8000)
    done = romproof(
        "rgblink", "-tdwv", "-Ball", "--color", "never", "-Weverything",
        "-S", "romx=4, sram=2,wramx", "-l", "a.link", "-O", "old.gb", "-o", "a.gb", "a.o",
    )  # fmt: skip
    assert done.returncode == 0
    assert (tmp_path / "a.gb").read_bytes() == b"....ABC" + b"." * 0x7FF9
    assert done.stderr == "rgblink: 1 objects, 1 sections, 32768 bytes\n"


def test_a_failed_link_leaves_the_old_files(romproof: Run, tmp_path: Path) -> None:
    write_small(tmp_path / "a.o")
    write_small(tmp_path / "b.o")
    (tmp_path / "a.gb").write_text("old")
    done = romproof("rgblink", "-o", "a.gb", "a.o", "b.o")
    assert done.returncode == 1
    assert "a.asm:1:1: error: `main` is defined as a label" in done.stderr
    assert (tmp_path / "a.gb").read_text() == "old"


def test_every_file_that_is_no_object_is_named(romproof: Run, tmp_path: Path) -> None:
    write_small(tmp_path / "a.o")
    (tmp_path / "text.o").write_text("what")
    done = romproof("rgblink", "text.o", "a.o", "none.o")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: text.o: this is not an RGBDS object file",
        "error: none.o: No such file or directory",
        "2 errors",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no object file was given"),
        (["-q"], "unknown option '-q'"),
        (["-p", "256"], "the argument of '-p' must be within 0..0xFF: '256'"),
        (["-p", "x"], "the argument of '-p' is not a number: 'x'"),
        (["-B", "x"], "'-B x' is not understood"),
        (["--color=red"], "'--color red' is not one of always, never and auto"),
        (["-S", "rom=1"], "'-S rom=1': 'rom' is not one of romx, sram and wramx"),
        (["-S", "romx"], "'-S romx': romx needs a number of banks"),
        (["-S", "sram=x"], "sram needs a number of banks"),
        (["-S", "wramx=8"], "the banks of wramx must be within 0..7"),
    ],
)
def test_wrong_command_lines(romproof: Run, words: list[str], message: str) -> None:
    done = romproof("rgblink", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert "romproof rgblink --help" in done.stderr


def test_options_given_twice(romproof: Run, tmp_path: Path) -> None:
    write_small(tmp_path / "a.o")
    done = romproof("rgblink", "-o", "a.gb", "-o", "b.gb", "a.o")
    assert done.stderr == "warning: '-o b.gb' is used instead of '-o a.gb'\n"
    assert not (tmp_path / "a.gb").exists()
    assert (tmp_path / "b.gb").exists()


def test_colour(romproof: Run) -> None:
    assert "\x1b[1;31merror" in romproof("rgblink", "--color=always", "none.o").stderr
    assert "\x1b" not in romproof("rgblink", "none.o").stderr


def test_version_and_help(romproof: Run) -> None:
    assert romproof("rgblink", "-V").stdout.startswith("rgblink v1.0.3 (romproof ")
    for word in ("-h", "--help"):
        done = romproof("rgblink", word)
        assert done.returncode == 0
        assert "Usage: romproof rgblink [OPTIONS] FILE..." in done.stdout
        assert "-p, --pad VALUE" in done.stdout
        assert "romproof rgblink -o game.gb main.o" in done.stdout
