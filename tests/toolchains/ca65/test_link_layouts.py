"""Layouts of -t that need no installed cc65, and where files are looked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from romproof.cli import run
from romproof.cli.originals import cc65_paths
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source
from romproof.toolchains.ca65.link.config import Config
from romproof.toolchains.ca65.link.config_parser import parse_config
from romproof.toolchains.ca65.link.defaults import BUILT_IN, built_in_config

INSTALLED = Path("/usr/share/cc65/cfg")
CARTRIDGE = """\
.segment "HEADER"
.byte "NES", $1A, 2, 1
.segment "STARTUP"
start: jmp start
.segment "VECTORS"
.addr start, start, start
.segment "CHARS"
.byte $FF
.bss
counter: .res 2
.export counter
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on a machine without cc65."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cc65_paths, "_INSTALLED", tmp_path / "nowhere")
    for name in ("CC65_HOME", "CA65_INC", "LD65_LIB", "LD65_CFG", "LD65_OBJ"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def described(config: Config) -> str:
    """All rules, without their places."""
    rules = (config.areas, config.segments, config.files, config.symbols, config.tables)
    text = re.sub(r"line=\d+, col=\d+, length=\d+", "", repr(rules))
    return re.sub(r"name='\w+\.cfg'|Source\(.*?via=None\)", "", text)


@pytest.mark.skipif(not INSTALLED.is_dir(), reason="cc65 is not installed")
@pytest.mark.parametrize("target", BUILT_IN)
def test_a_layout_says_what_that_of_cc65_says(target: str) -> None:
    text = (INSTALLED / f"{target}.cfg").read_text()
    theirs = parse_config(Source(f"{target}.cfg", text), Diagnostics())
    assert described(built_in_config(target)) == described(theirs)


def test_a_cartridge_is_linked_without_cc65(alone: Path) -> None:
    Path("main.s").write_text(CARTRIDGE)
    assert run(["ca65", "-t", "nes", "main.s"]) == 0
    assert run(["ld65", "-t", "nes", "-o", "main.nes", "-Ln", "main.lbl", "main.o"]) == 0
    image = Path("main.nes").read_bytes()
    assert len(image) == 16 + 0x8000 + 0x2000
    assert image[:6] == b"NES\x1a\x02\x01"
    assert image[16:19] == b"\x4c\x00\x80"
    assert image[0x8010 - 6 : 0x8010] == b"\x00\x80" * 3
    assert image[0x8010] == 0xFF
    assert "al 006000 .counter\n" in Path("main.lbl").read_text()


def test_what_a_layout_needs_of_a_library_names_it(
    alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("main.s").write_text(".code\n rts\n")
    assert run(["ca65", "-t", "c64", "main.s"]) == 0
    capsys.readouterr()
    assert run(["ld65", "-t", "c64", "main.o"]) == 1
    told = capsys.readouterr().err
    assert "unresolved external '__EXEHDR__'" in told
    assert "the configuration takes it from cc65's library: add c64.lib after the objects" in told
    assert run(["ld65", "-t", "c64", "main.o", "c64.lib"]) == 1
    assert "install it, or name their folder with -L or $LD65_LIB" in capsys.readouterr().err
    header = ".export __EXEHDR__, __LOADADDR__\n__EXEHDR__ = 1\n__LOADADDR__ = 1\n"
    header += '.segment "LOADADDR"\n.addr $801\n.segment "EXEHDR"\n.res 13\n.segment "ONCE"\n'
    Path("header.s").write_text(header)
    assert run(["ca65", "header.s"]) == 0
    assert run(["ld65", "-t", "c64", "-o", "main.prg", "main.o", "header.o"]) == 0
    assert Path("main.prg").read_bytes() == b"\x01\x08" + bytes(13) + b"\x60"


def test_files_are_found_by_the_environment(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("home/asminc", "home/cfg", "home/lib", "more"):
        (alone / folder).mkdir(parents=True)
    (alone / "home/asminc/zp.inc").write_text("ZP = 5\n")
    (alone / "home/asminc/generic.mac").write_text(".macro own\n.byte 7\n.endmacro\n")
    (alone / "more/more.inc").write_text("MORE = 6\n")
    layout = "MEMORY { M: start = 0, size = 9, file = %O; } SEGMENTS { CODE: load = M; }"
    (alone / "home/cfg/own.cfg").write_text(layout)
    source = '.macpack generic\n.include "zp.inc"\n.include "more.inc"\n.import it\n'
    Path("main.s").write_text(source + "own\n.byte ZP, MORE, <it\n")
    Path("it.s").write_text(".export it\nit = 8\n")
    monkeypatch.setenv("CC65_HOME", str(alone / "home"))
    monkeypatch.setenv("CA65_INC", str(alone / "more"))
    monkeypatch.setenv("LD65_OBJ", str(alone / "more"))
    assert run(["ca65", "main.s", "-o", "more/main.o"]) == 0
    assert run(["ca65", "it.s"]) == 0
    assert run(["ar65", "r", "home/lib/it.lib", "it.o"]) == 0
    assert run(["ld65", "-C", "own.cfg", "-o", "main.bin", "main.o", "it.lib"]) == 0
    assert Path("main.bin").read_bytes() == bytes((7, 5, 6, 8))
