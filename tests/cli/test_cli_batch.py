"""``romproof batch``: many command lines in one process do what each does in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from romproof.cli import run

SOURCES = {
    "one.s": ".export one\none: lda #1\n rts\n",
    "two.s": ".import one\ntwo: jmp one\n",
    "game.asm": 'SECTION "x", ROM0[$150]\nstart: ld a, 1\n ret\n',
}
COMMANDS = """\
# what a makefile would call
ca65 one.s -o one.o
/usr/bin/ca65 two.s -o two.o     # by its path

romproof ld65 -t none one.o two.o -o 'two words.bin' -Ln labels.lbl
rgbasm game.asm -o game.o
rgblink -o game.gb game.o
rgbfix -v -p 0xFF game.gb
"""
MADE = ("two words.bin", "labels.lbl", "game.gb")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "src"
    place.mkdir()
    for name, text in SOURCES.items():
        (place / name).write_text(text)
    return place


def _files(place: Path) -> dict[str, bytes]:
    return {name: (place / name).read_bytes() for name in MADE}


def test_a_batch_makes_what_single_runs_make(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list").write_text(COMMANDS)
    here = Path.cwd()
    assert run(["batch", str(tmp_path / "list"), "-C", str(folder), "--json"]) == 0
    assert Path.cwd() == here
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is True
    assert [one["line"] for one in found["commands"]] == [2, 3, 5, 6, 7, 8]
    assert {one["exit_code"] for one in found["commands"]} == {0}
    together = _files(folder)
    for name in MADE:
        (folder / name).unlink()
    for line in COMMANDS.splitlines():
        words = line.partition("#")[0].replace("romproof ", "").replace("/usr/bin/", "")
        if words:
            subprocess.run(
                f"{sys.executable} -m romproof {words}", shell=True, cwd=folder, check=True
            )
    assert together == _files(folder)


def test_one_that_fails_does_not_stop_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "ca65 missing.s\nls -l\nca65 'one.s\nca65 --no-such one.s\nca65 one.s -o one.o\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    monkeypatch.chdir(folder)
    assert run(["batch", "--json"]) == 1
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert found["ok"] is False
    assert [one["exit_code"] for one in found["commands"]] == [1, None, None, 2, 0]
    assert (folder / "one.o").is_file()
    assert "<stdin>:1: ca65 failed (exit code 1)" in told.err
    assert "<stdin>:2: 'ls' is not one of ca65" in told.err
    assert "<stdin>:3: No closing quotation" in told.err


def test_a_line_that_is_no_command_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("make all\n"))
    assert run(["batch", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False
    assert run(["batch", os.fspath(tmp_path / "missing")]) == 1


def test_options_of_one_line_are_not_those_of_the_next(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a tool keeps while it runs (defines, features, warnings) ends with it."""
    (folder / "asks.s").write_text(".ifdef FLAG\n.error \"FLAG\"\n.endif\nlabel: .byte 'a'\n")
    lines = ("ca65 -D FLAG=1 -t c64 one.s -o one.o", "ca65 asks.s -o asks.o")
    text = "\n".join((*lines, "ld65 -t none asks.o -o a.bin", ""))
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert run(["batch", "-C", str(folder)]) == 0
    assert (folder / "a.bin").read_bytes() == b"a"
