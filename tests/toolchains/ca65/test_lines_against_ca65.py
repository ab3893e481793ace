"""Line records, listings and registers of sources that once came out otherwise than from ca65."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from romproof.cli import run

pytestmark = pytest.mark.skipif(
    not (shutil.which("ca65") and shutil.which("od65")), reason="ca65 and od65 are not installed"
)
FILES = {
    "q.inc": " lda #1\n inx\n",
    "r.inc": ' lda #2\n .include "q.inc"\n iny\n',
    "c.inc": "; c",
    "m.inc": '.macro mm\n nop\n .include "q.inc"\n.endmacro\n',
}
C = ".feature c_comments\n"
LINES = [
    '.repeat 2\n .include "q.inc"\n nop\n.endrep\n nop\n',
    '.repeat 2, I\n .include "r.inc"\n .byte I\n.endrep\n nop',
    '.repeat 2\n.repeat 2\n .include "q.inc"\n.endrep\n.endrep\n',
    ' .include "m.inc"\n mm\n mm\n',
    '.macro m\n .include "q.inc"\n nop\n.endmacro\n.repeat 2\n m\n.endrep\n',
    ' .include "c.inc"\n iny\n',
    *(" nop", " nop ; c", "; c", "\t", " nop\n ", " nop\n; c", "", " nop\n\n ; d"),
    f"{C}/* a\n b */ nop\n iny\n",
    f"{C} nop /* a\n b */\n iny\n",
    f"{C} nop /* a\n */ /* c */ ; d\n inx\n",
    f"{C}/* a\n */ /* b\n */ lab: /* c\n */ nop\n inx",
    ".linecont +\n \\\n nop\n iny\n",
]
S = [
    "s: nop",
    "S = 3",
    ".struct t\ns .byte\n.endstruct",
    ".macro m s\n nop\n.endmacro",
    ".macro m q\n .if .match({q},s)\n nop\n .endif\n.endmacro\n m s\n m S\n m x\n m foo\nfoo:",
    ".macro m q\n .if .xmatch({q},s)\n nop\n .endif\n.endmacro\n m s\n m S\n m x\n m foo\nfoo:",
    ".define s 3",
    ".import s",
    ".enum q\ns\n.endenum",
    " lda 1,s\n lda (1,s),y",
    " .byte .tcount({1,s})",
    " .p816\n lda 1,s\n.p02\ns = 1\n lda s",
    ".pushcpu\n.p816\n lda 1,s\n.popcpu\ns = 1\n lda s",
    ".macro z\n .local s\ns: nop\n.endmacro\n z",
]


def _same(folder: Path, text: str, *options: str) -> None:
    for name, inner in {**FILES, "t.s": text}.items():
        (folder / name).write_text(inner)
    found = []
    for tool in ("theirs", "ours"):
        words = [*options, "-g", "-o", f"{tool}.o", "-l", f"{tool}.lst", "t.s"]
        if tool == "ours":
            code = run(["ca65", *words])
        else:
            code = subprocess.run(["ca65", *words], cwd=folder, capture_output=True).returncode
        if code:
            found.append((code, "", ""))
            continue
        dump = subprocess.run(
            ["od65", "--dump-lineinfo", f"{tool}.o"],
            cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
        listing = (folder / f"{tool}.lst").read_text().splitlines()[2:]
        found.append((code, dump.stdout.replace(f"{tool}.o", ""), "\n".join(listing)))
    assert found[0] == found[1]


@pytest.mark.parametrize("text", LINES)
def test_lines(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _same(tmp_path, text)


@pytest.mark.parametrize("cpu", ["65816", "6502"])
@pytest.mark.parametrize("text", S)
def test_s_is_a_register(
    text: str, cpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _same(tmp_path, text, "--cpu", cpu)
