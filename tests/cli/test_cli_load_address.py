"""A load address and debug information that contradict each other: no command is silent on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_programs import Run

import romproof as api
from romproof.formats.errors import SymbolWarning

SOURCE = """\
.export start, one
.segment "CODE"
start: jsr one
 rts
;; one – A is 1.
; in:       none
; out:      A
; clobbers: N Z
one: lda #1
 rts
.segment "COPIED"
there: rts
"""
CONFIG = """\
MEMORY {{ M: start = $8000, size = $100, file = %O; R: start = $0300, size = $100; }}
SEGMENTS {{ {0} }}
"""
PLAIN = "CODE: load = M, type = ro; COPIED: load = M, type = ro;"
COPIED = "COPIED: load = M, run = R, type = rw; CODE: load = M, type = ro;"
ALL_COPIED = "COPIED: load = M, run = R, type = rw; CODE: load = M, run = R, type = rw;"
SAID = "p.dbg has segment CODE at $8000, and the load address puts it at $C000"
RIGHT = "the load address of this build is $8000"


@pytest.fixture
def linked(romproof: Run, tmp_path: Path) -> Path:
    link(romproof, tmp_path, PLAIN)
    return tmp_path


def link(romproof: Run, folder: Path, segments: str, output: str = "p.bin") -> None:
    (folder / "p.s").write_text(SOURCE)
    (folder / "p.cfg").write_text(CONFIG.format(segments))
    assert romproof("ca65", "-g", "p.s").returncode == 0
    done = romproof("ld65", "-C", "p.cfg", "-o", output, "--dbgfile", "p.dbg", "p.o")
    assert done.returncode == 0, done.stderr


COMMANDS = [
    ("bounds", "p.bin"),
    ("bounds", "p.bin:one"),
    ("infer", "p.bin:one"),
    ("prove", "p.bin"),
    ("run", "p.bin", "--call", "one"),
    ("report", "p.bin", "--call", "one"),
    ("disasm", "p.bin"),
    ("same", "p.bin:one", "p.bin:start"),
]


@pytest.mark.usefixtures("linked")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_warns(romproof: Run, command: tuple[str, ...]) -> None:
    pytest.importorskip("z3")
    options = (*command, "--symbols", "p.dbg", "--load-address")
    done = romproof(*options, "0xC000")
    assert SAID in done.stderr, done.stderr
    assert RIGHT in done.stderr
    assert "segment CODE at" not in romproof(*options, "0x8000").stderr


@pytest.mark.usefixtures("linked")
def test_the_second_image_has_one_of_its_own(romproof: Run) -> None:
    pytest.importorskip("z3")
    same = ("same", "p.bin:one", "p.bin:one", "--symbols", "p.dbg", "--load-address", "0x8000")
    assert SAID in romproof(*same, "--other-load-address", "0xC000").stderr
    assert SAID not in romproof(*same).stderr


def test_python_and_projects_warn(linked: Path, romproof: Run) -> None:
    with pytest.warns(SymbolWarning, match=r"load address puts it at \$C000"):
        api.load("p.bin", symbols="p.dbg", load_address=0xC000)
    assert api.load("p.bin", symbols="p.dbg", load_address=0x8000).call("one").a == 1
    table = '[tool.romproof]\nimage = "p.bin"\nsymbols = ["p.dbg"]\nload_address = 0xC000\n'
    (linked / "pyproject.toml").write_text(table)
    assert SAID in romproof("bounds", "p").stderr
    with pytest.warns(SymbolWarning, match=r"load address puts it at \$C000"):
        api.load(".")


def test_what_is_copied_before_it_runs_is_no_contradiction(romproof: Run, tmp_path: Path) -> None:
    link(romproof, tmp_path, COPIED)
    options = ("bounds", "p.bin", "--symbols", "p.dbg", "--load-address")
    assert "the load address" not in romproof(*options, "0x8000").stderr
    done = romproof(*options, "0xC000")
    assert "segment COPIED at $0300, and the load address puts it at $C000" in done.stderr
    # where all of it is copied nobody knows
    link(romproof, tmp_path, ALL_COPIED)
    assert "puts it at $8000" in romproof(*options, "0x8000").stderr


def test_a_program_that_says_itself_where_it_is(romproof: Run, tmp_path: Path) -> None:
    link(romproof, tmp_path, PLAIN)
    code = (tmp_path / "p.bin").read_bytes()
    (tmp_path / "p.cfg").write_text(
        "MEMORY { H: start = 0, size = 2, file = %O; M: start = $8000, size = $100, file = %O; }\n"
        f"SEGMENTS {{ HEAD: load = H, type = ro; {PLAIN} }}\n"
    )
    (tmp_path / "p.s").write_text(SOURCE + '.segment "HEAD"\n.word $8000\n')
    assert romproof("ca65", "-g", "p.s").returncode == 0
    link_it = ("ld65", "-C", "p.cfg", "-o", "p.prg", "--dbgfile", "p.dbg", "p.o")
    assert romproof(*link_it).returncode == 0
    assert romproof("bounds", "p.prg", "--symbols", "p.dbg").stderr == ""
    (tmp_path / "p.prg").write_bytes(b"\x00\xc0" + code)
    done = romproof("bounds", "p.prg", "--symbols", "p.dbg")
    assert "segment CODE at $8000, and p.prg puts it at $C000" in done.stderr
    assert "build both again" in done.stderr
