"""``--dialect``: what sources for RGBDS 0.5 and 0.6 mean. Bytes are those of 0.5.2 and 0.6.1."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.cli.originals.options import BadCommandLine
from romproof.cli.originals.rgbasm import run as rgbasm
from romproof.cli.originals.rgblink import run as rgblink

OLD = """\
SECTION "x", ROM0
X SET 5
Y EQU 1
name: MACRO
 db \\1
ENDM
foo:
 ld a,[c]
 ldio a,[$10]
 dl _PI
 stop
 halt
 ld a,[$ff41]
 ld [$ff42],a
 ld a,[$c000]
 dw __LINE__
 nop
V = 3
foo{d:V}_Y rb 2
ZZ = 4
ZZ = ZZ + 1
 name ZZ
"""
PLACED = "".join(f'SECTION "{name}", ROMX\n db {n}, 0\n' for n, name in enumerate("abcdef"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(source: str, *words: str) -> bytes:
    """The ROM of a source, up to its last byte that is not 0."""
    Path("a.asm").write_text(source)
    assert rgbasm((*words, "-o", "a.o", "a.asm")) == 0
    assert rgblink((*words[:2], "-o", "a.gb", "a.o")) == 0
    return Path("a.gb").read_bytes().rstrip(b"\0")


@pytest.mark.parametrize(
    ("words", "data"),
    [
        ((), "f2f0103f24030010007600f041e042fa00c010000005"),
        (("-h",), "f2f0103f240300100076f041e042fa00c010000005"),
        (("-h", "-L"), "f2f0103f240300100076fa41ffea42fffa00c010000005"),
    ],
)
def test_a_source_for_0_5(words: tuple[str, ...], data: str) -> None:
    assert built(OLD, "--dialect", "0.5", *words).hex() == data


def test_a_source_for_0_6_has_less_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.asm").write_text("X SET 5\nY EQU 1\n PRINTLN __RGBDS_MINOR__\n")
    from romproof.text.diagnostic import BuildFailed

    with pytest.raises(BuildFailed) as failed:
        rgbasm(("--dialect=0.6", "a.asm"))
    (only,) = failed.value.diagnostics
    assert only.message.startswith("Undefined macro `X`")
    assert only.help is not None
    assert only.help.endswith("write 'DEF X = 5', or assemble with 'rgbasm --dialect 0.5'")
    Path("a.asm").write_text("Y EQU 1\n PRINTLN __RGBDS_MINOR__, __RGBDS_PATCH__\n")
    assert rgbasm(("--dialect=0.6", "a.asm")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "$6$1"


def test_sections_of_one_size_lie_by_their_names() -> None:
    old = built(PLACED, "--dialect", "0.6")[0x4000:]
    assert (old + bytes(12))[:12:2] == bytes([1, 2, 0, 5, 3, 4])
    assert built(PLACED)[0x4000:] != old


def test_a_dialect_that_there_is_not() -> None:
    with pytest.raises(BadCommandLine, match=r"'--dialect 0.4': there are 0.5 and 0.6"):
        rgbasm(("--dialect", "0.4", "a.asm"))


def test_stop_outside_of_a_section_is_two_errors() -> None:
    from romproof.text.diagnostic import BuildFailed

    Path("a.asm").write_text(" stop\n")
    with pytest.raises(BuildFailed) as failed:
        rgbasm(("a.asm",))
    assert [d.message for d in failed.value.diagnostics] == [
        "Cannot output data outside of a `SECTION`"
    ] * 2
