"""Comments of other people stop no command; contracts that nobody reads are told by all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run

COMMENTED = """\
.code
.export draw, put
;;
; Draws a tile
; In: A = tile number
; Out: nothing
draw: lda #1
 rts
;; Puts it
; In: X, and others
put: lda #1
 rts
"""
LOST = """\
.code
.export it, other
;; it – x
; in: none
; out: A
; clobbers: N Z
it: lda #1
 rts
;; other – x
; in: none
; out: A
; ensures: A == 5

; clobbers: N Z
other: lda #1
 rts
"""
COMMANDS = [
    ("bounds",),
    ("report", "demo", "--call", "{}"),
    ("run", "demo", "--call", "{}"),
    ("compare", "demo", "demo", "--call", "{}"),
    ("infer",),
    ("bounds", "--prove"),
]
READING = [*COMMANDS, ("prove",), ("same", "demo:it", "demo:it")]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.romproof]\nname = 'demo'\nsources = ['g.s']\n")
    return tmp_path / "g.s"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_comments_of_other_people_are_one_warning(
    command: tuple[str, ...], demo: Path, romproof: Run
) -> None:
    demo.write_text(COMMENTED, "utf-8")
    words = [word.format("draw") for word in command]
    done = romproof(*words)
    assert done.returncode == 0
    assert done.stderr.count("warning:") == 1
    assert "g.s:3:1: warning: demo: no contract is read, though 2 comments look like" in done.stderr
    told = json.loads(romproof(*words, "--json").stdout)["unread"]
    assert {row["reason"] for row in told} == {"comment"}
    done = romproof(*words, "--strict")
    assert done.returncode == (2 if command[0] == "infer" else 1)
    assert "g.s:5:9: error: cannot read this" in done.stderr
    assert "g.s:9:1: error:" in done.stderr


def test_nothing_is_proved_of_comments(demo: Path, romproof: Run) -> None:
    demo.write_text(COMMENTED, "utf-8")
    done = romproof("prove")
    assert done.returncode == 2
    assert "there is nothing to prove" in done.stderr


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_what_is_not_read_is_told(command: tuple[str, ...], demo: Path, romproof: Run) -> None:
    demo.write_text(LOST, "utf-8")
    words = [word.format("it") for word in command]
    done = romproof(*words)
    assert done.returncode == 0
    assert done.stderr.count("g.s:9:4: warning: this contract of 'other' is not read") == 1
    (row,) = json.loads(romproof(*words, "--json").stdout)["unread"]
    assert (row["rom"], row["reason"], row["name"]) == ("demo", "blank line", "other")
    assert (row["file"], row["line"], row["column"], row["length"]) == ("g.s", 9, 4, 5)
    done = romproof(*words, "--strict", "--json")
    assert done.returncode == (2 if command[0] in ("infer", "prove", "same") else 1)
    assert "g.s:9:4: error: this contract of 'other' is not read" in done.stderr
    assert json.loads(done.stdout)["diagnostics"][0]["line"] == 9


@pytest.mark.parametrize("command", sorted({words[0] for words in READING}))
def test_the_help_has_the_option(command: str, romproof: Run) -> None:
    assert "--strict" in romproof(command, "--help").stdout


def test_good_contracts_are_strict_without_a_word(demo: Path, romproof: Run) -> None:
    demo.write_text(LOST.replace("A == 5\n\n", "A == 1\n"), "utf-8")
    done = romproof("bounds", "--strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert "unread" not in json.loads(romproof("bounds", "--json").stdout)
