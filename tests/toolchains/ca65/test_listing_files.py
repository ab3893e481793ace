"""Listings as ca65 2.19 -l writes them, and options of the assembler that change objects."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from object_sources import comparable, write_sources

from romproof.cli import run
from romproof.toolchains.ca65.obj.decode import decode_object

SOURCE = """\
.include "defs.inc"
; nothing
start:  lda #5

        jsr far
.macro twice what
        .byte what
        .byte what
.endmacro
        twice 3
.list off
hidden: nop
.list on
.repeat 2
        .byte 1
.endrepeat
        .res 3
.listbytes 4
        .byte 1,2,3,4,5,6
        .org $1234
        .byte 1,2,3,4,5,6,7,8,9,10,11,12,13
.if 0
        nop
.endif
.import far
"""
# of ca65 2.19; the lines before are its name and the main file's
LISTING = """\
Current file: main.s

000000r 1               .include "defs.inc"
000000r 2               FIVE = 5
000000r 2               \n\
000000r 1               ; nothing
000000r 1  A9 05        start:  lda #5
000002r 1               \n\
000002r 1  20 rr rr             jsr far
000005r 1               .macro twice what
000005r 1                       .byte what
000005r 1                       .byte what
000005r 1               .endmacro
000005r 1  03 03                twice 3
"""
needs_ca65 = pytest.mark.skipif(shutil.which("ca65") is None, reason="ca65 is not installed")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.s").write_text(SOURCE)
    (tmp_path / "defs.inc").write_text("FIVE = 5\n")
    return tmp_path


def listed(*words: str) -> str:
    assert run(["ca65", *words, "-l", "main.lst", "-o", "main.o", "main.s"]) == 0
    return Path("main.lst").read_text()


def test_a_listing() -> None:
    assert LISTING in listed()


@needs_ca65
@pytest.mark.parametrize(
    "words", [(), ("--list-bytes", "0"), ("--pagelength", "32"), ("--list-bytes", "5")]
)
def test_a_listing_is_that_of_ca65(words: tuple[str, ...]) -> None:
    given = ["ca65", *words, "-l", "theirs.lst", "-o", "theirs.o", "main.s"]
    subprocess.run(given, check=True, capture_output=True)

    def body(text: str) -> list[str]:
        return [line for line in text.split("\n") if not line.lstrip("\f").startswith("ca65 V")]

    assert body(listed(*words)) == body(Path("theirs.lst").read_text())


@needs_ca65
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("-mm", "far"), ".export here\nhere: nop\n.faraddr here\n"),
        (("--relax-checks",), ".import there\n.byte there\n.word here\nhere: bne there\n"),
        (
            ("-t", "c64", "-D", "THREE=3", "-I", "."),
            '.include "defs.inc"\n.byte THREE, FIVE\n.byte "a"\n',
        ),
        (
            ("-s", "--cpu", "65816"),
            "rep #$30\nlda #5\n.a8\n.i16\nldx #5\nmvn #1,#2\nbrl far\nfar:\n",
        ),
    ],
    ids=["far", "relaxed", "c64", "65816"],
)
def test_options_change_the_object_as_in_ca65(
    folder: Path, words: tuple[str, ...], text: str
) -> None:
    (folder / "main.s").write_text(text)
    given = ["ca65", *words, "-g", "-o", "theirs.o", "main.s"]
    subprocess.run(given, check=True, capture_output=True)
    assert run(["ca65", *words, "-g", "-o", "ours.o", "main.s"]) == 0
    ours, theirs = (decode_object(Path(n).read_bytes(), n) for n in ("ours.o", "theirs.o"))
    assert comparable(ours) == comparable(theirs)


def test_more_than_a_hundred_errors_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "main.s").write_text("".join(f" lda missing{n}\n" for n in range(150)))
    assert run(["ca65", "main.s"]) == 1
    told = capsys.readouterr().err
    assert "'missing149' is undefined" in told
    assert "150 errors" in told


def test_the_tools_take_the_sources_of_the_objects(folder: Path) -> None:
    write_sources(folder)
    assert run(["ca65", "-g", "main.s"]) == 0
    assert decode_object(Path("main.o").read_bytes(), "main.o").debug
