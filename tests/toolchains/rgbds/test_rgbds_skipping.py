"""Branches that are not taken: which words count in them, and that lines are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.cli import run

SKIPPED = [
    "IF 0",
    "\tif 1 ; nested",
    " format",  # begins as a word does, and is none
    "endc2 ENDC",
    "endc.local",
    "x: endc",
    ";endc",
    '"',
    "  Rept 3",
    "\u017fif",  # no ASCII
    "\tEndC",
    "ELSE",
    ' SECTION "a", ROM0',
    " db 1",
    "ENDC",
    " nonsense!",
]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_words_and_lines(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    end: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.asm").write_bytes(end.join([*SKIPPED, ""]).encode())
    assert run(["rgbasm", "-o", "x.o", "x.asm"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"x.asm:{len(SKIPPED)}:")
    assert told.count("error:") == 1
    Path("x.asm").write_bytes(end.join(SKIPPED[:-1]).encode())
    assert run(["rgbasm", "-o", "x.o", "x.asm"]) == 0
    assert run(["rgblink", "-x", "-o", "x.gb", "x.o"]) == 0
    assert Path("x.gb").read_bytes() == b"\1"
    # without the word that ends it nothing comes behind
    Path("x.asm").write_bytes(end.join(SKIPPED[:-2]).encode())
    assert run(["rgbasm", "-o", "x.o", "x.asm"]) == 1
    assert "1 unterminated conditional" in capsys.readouterr().err
