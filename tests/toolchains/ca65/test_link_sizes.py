"""Sizes that ld65 counts in 32 bits without a sign."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.cli import run

CONFIG = """\
FEATURES { STARTADDRESS: default = $A000; }
MEMORY { MAIN: file=%O, start=%S, size=$2000-%S; }
SEGMENTS { CODE: load=MAIN, type=ro; }
"""


@pytest.mark.parametrize(
    ("start", "code"), [("$A000", 0), ("$C000", 0), ("$1000", 0), ("$1FFF", 1), ("$2000", 1)]
)
def test_a_size_that_is_negative_is_a_large_one(
    start: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.s").write_text(".code\n rts\n nop\n")
    Path("l.cfg").write_text(CONFIG)
    assert run(["ca65", "a.s", "-o", "a.o"]) == 0
    assert run(["ld65", "-C", "l.cfg", "-S", start, "a.o", "-o", "a.bin"]) == code
    if not code:
        assert Path("a.bin").read_bytes() == b"\x60\xea"
