"""``romproof init``: a table and a test from what lies in a folder, that work at once."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cli_programs import Run

import romproof as library

NES = """\
.segment "HEADER"
  .byte "NES", $1A, 1, 1, 1, 0
.segment "ZEROPAGE"
score: .res 1
.segment "CODE"
.proc reset
  lda #%00011110
  sta $2001
@forever:
  jmp @forever
.endproc
.proc nmi
  rti
.endproc
.segment "VECTORS"
  .addr nmi, reset, nmi
"""
NROM = """\
MEMORY {
  HEADER: start = 0, size = $10, type = ro, file = %O, fill = yes;
  ROM:    start = $C000, size = $4000, type = ro, file = %O, fill = yes, fillval = $FF;
  CHR:    start = 0, size = $2000, type = ro, file = %O, fill = yes;
  ZP:     start = $10, size = $F0, type = rw;
}
SEGMENTS {
  HEADER:   load = HEADER, type = ro;
  ZEROPAGE: load = ZP, type = zp;
  CODE:     load = ROM, type = ro;
  VECTORS:  load = ROM, type = ro, start = $FFFA;
}
"""
MAKEFILE = """\
title := game
objects := main extra
CA65 = ca65
LD65 = ld65

all: $(title).nes
$(title).nes: layout/nrom.cfg $(foreach o,$(objects),obj/$(o).o)
\t$(LD65) -o $@ -C $^

obj/%.o: src/%.s
\t$(CA65) -g -D LEVEL=3 $< -o $@
"""
GAME_BOY = """\
SECTION "Entry", ROM0[$100]
  nop
  jp Start
  ds $150 - @, 0
SECTION "Main", ROM0
Start:
  jr Start
"""
FLAT = """\
.export double
;; double – twice as much.
; in:       A
; requires: A <= 127
; out:      A
; clobbers: N Z C
; cycles:   8
.proc double
  asl a
  rts
.endproc
"""


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def _table(folder: Path) -> dict[str, object]:
    tool = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]
    table: dict[str, object] = tool["romproof"]
    return table


def _pass_tests(folder: Path) -> list[str]:
    """The tests that were written pass; their names."""
    rom = library.load(folder)
    (path,) = (folder / "tests").glob("test_*.py")
    names: dict[str, object] = {}
    exec(path.read_text(), names)
    tests = [name for name in names if name.startswith("test_")]
    for name in tests:
        names[name](rom)  # type: ignore[operator]
    return tests


@pytest.fixture
def nes(tmp_path: Path) -> Path:
    _write(tmp_path, {
        "src/main.s": NES,
        "src/extra.s": '.include "level.inc"\n.export level\nlevel: .byte LEVEL + MORE\n',
        "src/level.inc": "MORE = 1\n",
        "src/unused.s": ".import nothing\n.addr nothing\n",
        "layout/nrom.cfg": NROM,
        "Makefile": MAKEFILE,
    })  # fmt: skip
    return tmp_path


def test_a_makefile_of_cc65_gives_sources_and_layout(romproof: Run, nes: Path) -> None:
    done = romproof("init")
    assert (done.returncode, done.stderr) == (0, "")
    assert _table(nes) == {
        "name": "game",
        "sources": ["src/main.s", "src/extra.s"],
        "defines": {"LEVEL": 3},
        "config": "layout/nrom.cfg",
        "output": "game.nes",
        "machine": "nes",
    }
    assert _pass_tests(nes) == ["test_it_shows_a_picture"]
    assert "found    Makefile: calls ld65, ca65 for game.nes" in done.stdout
    assert "tried    it runs 60 frames: the picture is switched on" in done.stdout


@pytest.mark.slow
def test_pytest_passes_at_once(romproof: Run, nes: Path) -> None:
    assert romproof("init").returncode == 0
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=nes, capture_output=True, text=True, check=False)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout


def test_a_dry_run_writes_nothing_and_shows_all(romproof: Run, nes: Path) -> None:
    before = sorted(nes.rglob("*"))
    done = romproof("init", "--dry-run")
    assert done.returncode == 0
    assert sorted(nes.rglob("*")) == before
    assert 'output = "game.nes"' in done.stdout
    assert "would be created: tests/test_game.py" in done.stdout


def test_json_says_what_is_written(romproof: Run, nes: Path) -> None:
    data = json.loads(romproof("init", "--json").stdout)
    assert (data["schema"], data["ok"], data["dry_run"]) == ("romproof.init/1", True, False)
    assert [file["path"] for file in data["files"]] == ["pyproject.toml", "tests/test_game.py"]
    assert all((nes / file["path"]).read_text() == file["text"] for file in data["files"])
    assert data["tried"] == [
        {
            "test": "test_it_shows_a_picture",
            "text": "runs 60 frames: the picture is switched on",
        }
    ]
    data = json.loads(romproof("init", "--json").stdout)
    assert (data["ok"], data["files"]) == (False, [])
    assert "--force replaces it" in data["diagnostics"][0]["message"]


def test_a_file_that_is_there_keeps_what_it_says(romproof: Run, nes: Path) -> None:
    text = '[project]\nname = "x"  # mine\n\n[tool.other]\nkey = """\n[not.a.table]\n"""'
    (nes / "pyproject.toml").write_text(text)
    done = romproof("init")
    assert "appended to pyproject.toml" in done.stdout
    assert (nes / "pyproject.toml").read_text().startswith(text + "\n\n[tool.romproof]\n")


@pytest.mark.slow
def test_what_is_there_is_replaced_only_if_asked_for(romproof: Run, nes: Path) -> None:
    text = "[tool.romproof]\nimage = 'x.nes'\n[tool.romproof.roms.b]\na = 1\n[tool.x]\na = 1\n"
    (nes / "pyproject.toml").write_text(text)
    done = romproof("init")
    assert done.returncode == 1
    assert done.stderr == (
        "error: pyproject.toml has a table [tool.romproof] already; --force replaces it\n"
    )
    assert (nes / "pyproject.toml").read_text() == text
    assert not (nes / "tests").exists()
    _write(nes, {"tests/test_game.py": "mine"})
    done = romproof("init", "--force")
    assert "replaced the table in pyproject.toml\nreplaced tests/test_game.py\n" in done.stdout
    made = tomllib.loads((nes / "pyproject.toml").read_text())["tool"]
    assert made["x"] == {"a": 1}
    assert "roms" not in made["romproof"]
    (nes / "pyproject.toml").unlink()
    done = romproof("init")
    assert (done.returncode, "test_game.py exists already" in done.stderr) == (1, True)
    assert not (nes / "pyproject.toml").exists()


def test_an_image_with_its_symbols(romproof: Run, nes: Path, tmp_path: Path) -> None:
    for name in ("main", "extra"):
        words = ("ca65", "-g", "-D", "LEVEL=3", f"src/{name}.s", "-o", f"{name}.o")
        assert romproof(*words).returncode == 0
    link = "ld65 -C layout/nrom.cfg -o build/game.nes --dbgfile build/game.dbg main.o extra.o"
    assert romproof(*link.split()).returncode == 0
    for path in ("Makefile", "layout/nrom.cfg"):
        (nes / path).unlink()
    assert romproof("init").returncode == 0
    assert _table(nes) == {"image": "build/game.nes", "symbols": ["build/game.dbg"]}
    assert _pass_tests(nes) == ["test_it_shows_a_picture"]


@pytest.mark.slow
def test_symbols_of_another_build_are_left_out(romproof: Run, nes: Path) -> None:
    test_an_image_with_its_symbols(romproof, nes, nes)
    for path in ("pyproject.toml", "tests/test_game.py"):
        (nes / path).unlink()
    (nes / "build/game.dbg").write_text("version\tmajor=2,minor=0\ninfo\tsym=1\n")
    done = romproof("init")
    assert "guessed  symbols: left out: " in done.stdout
    assert _table(nes) == {"image": "build/game.nes"}


@pytest.mark.slow
def test_an_image_is_compared_with_what_the_sources_give(romproof: Run, nes: Path) -> None:
    assert romproof("init").returncode == 0
    assert romproof("build").returncode == 0
    (nes / "build/rom/game.nes").rename(nes / "game.nes")
    done = romproof("init", "--force")
    assert "found    game.nes: the same bytes as romproof builds" in done.stdout
    data = bytearray((nes / "game.nes").read_bytes())
    data[100] ^= 1
    (nes / "game.nes").write_bytes(data)
    done = romproof("init", "--force")
    assert "left to their makefile: its bytes are others" in done.stdout
    assert _table(nes) == {"image": "game.nes"}
    assert '# command = "make game.nes"' in (nes / "pyproject.toml").read_text()


@pytest.mark.slow
def test_sources_of_rgbds(romproof: Run, tmp_path: Path) -> None:
    makefile = (
        "OBJ := $(patsubst %.asm,%.o,$(wildcard *.asm))\n"
        "game.gb: $(OBJ)\n\trgblink -t -n game.sym -o $@ $^\n\trgbfix -v -p 0xff -t GAME -m 3 $@\n"
        "%.o: %.asm\n\t@rgbasm -DFAST -o $@ $<\n"
    )
    _write(tmp_path, {"main.asm": GAME_BOY, "Makefile": makefile})
    assert romproof("init").returncode == 0
    assert _table(tmp_path) == {
        "name": "game",
        "cpu": "sm83",
        "sources": ["main.asm"],
        "defines": {"FAST": 1},
        "link": {"tiny": True},
        "header": {"pad": 255, "title": "GAME", "mbc": 3},
        "output": "game.gb",
        "machine": "gameboy",
    }
    assert _pass_tests(tmp_path) == ["test_it_shows_a_picture"]


def test_sources_without_a_makefile(romproof: Run, tmp_path: Path) -> None:
    _write(tmp_path, {"double.s": FLAT})
    assert romproof("init").returncode == 0
    assert _table(tmp_path)["sources"] == ["double.s"]
    assert _pass_tests(tmp_path) == ["test_double"]
    (test,) = (tmp_path / "tests").iterdir()
    assert 'rom.call("double", a=0)' in test.read_text()


def test_a_routine_without_a_contract_keeps_its_cycles(romproof: Run, tmp_path: Path) -> None:
    _write(tmp_path, {"a.s": ".export add\n.proc add\n  clc\n  adc #1\n  rts\n.endproc\n"})
    assert romproof("init").returncode == 0
    assert _pass_tests(tmp_path) == ["test_add"]


def test_what_has_to_be_made_first_is_said(romproof: Run, nes: Path) -> None:
    (nes / "src/extra.s").unlink()
    done = romproof("init")
    assert done.returncode == 1
    assert "no source was found for obj/extra.o" in done.stderr
    assert (
        "make CA65='romproof ca65' LD65='romproof ld65 --dbgfile game.dbg' game.nes" in done.stderr
    )
    assert not (nes / "pyproject.toml").exists()
    _write(nes, {"src/extra.s": '.export level\nlevel: .incbin "made.chr"\n'})
    assert "src/extra.s:2: Cannot open" in romproof("init").stderr


@pytest.mark.parametrize("files", [{}, {"readme.txt": "a game"}, {"a.s": "", "b.c": "int x;"}])
def test_a_folder_with_nothing_is_one_line(
    romproof: Run, tmp_path: Path, files: dict[str, str]
) -> None:
    _write(tmp_path, files)
    done = romproof("init")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith("error: no program in ")


def test_a_board_that_is_not_emulated_is_one_line(romproof: Run, tmp_path: Path) -> None:
    header = b"NES\x1a\x02\x01\x10\x70" + bytes(8)
    (tmp_path / "game.nes").write_bytes(header + bytes(0x8000 + 0x2000))
    done = romproof("init")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "mapper 113 is not emulated" in done.stderr
    assert not (tmp_path / "pyproject.toml").exists()


@pytest.mark.parametrize("text", ["[tool\n", "tool = { x = 1 }\n"])
def test_a_pyproject_that_cannot_be_appended_to(romproof: Run, nes: Path, text: str) -> None:
    (nes / "pyproject.toml").write_text(text)
    done = romproof("init")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert (nes / "pyproject.toml").read_text() == text
    assert not (nes / "tests").exists()
