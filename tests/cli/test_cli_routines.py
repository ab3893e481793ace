"""``romproof infer`` looks at the routines that ``romproof bounds`` looks at."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_programs import Run

ONE_6502 = "one: lda #1\n sta cell\n rts\n"
TWO_6502 = "two: ldx #3\nagain: dex\n bne again\n rts\n"
LIST_6502 = "table: .byte 1, 2, 3\n.bss\ncell: .res 1\n"
CALLS_6502 = ".code\nstart: jsr one\n jsr two\n rts\n"
PROGRAM_6502 = CALLS_6502 + ONE_6502 + TWO_6502 + LIST_6502
PROGRAM_SM83 = (
    'SECTION "code", ROM0[$150]\nstart{0}\n call one\n call two\n ret\n'
    "one:\n ld a, 1\n ld [wCell], a\n ret\n"
    "two:\n ld b, 3\nagain:\n dec b\n jr nz, again\n ret\n"
    'table:\n db 1, 2, 3\nSECTION "ram", WRAM0\nwCell:\n db\n'
)
BASIC = bytes.fromhex("0b080a009e32303631000000")
"""10 SYS2061, at $0801."""
CODE = bytes.fromhex("20 14 08 20 1a 08 60  a9 01 8d 00 20 60  a2 03 ca d0 fd 60  01 02 03")
"""The program above at $080D, its cell at $2000."""
PLACES = {
    "start": 0x80D,
    "one": 0x814,
    "two": 0x81A,
    "again": 0x81C,
    "table": 0x820,
    "cell": 0x2000,
}

needs_z3 = pytest.mark.usefixtures("_z3")


@pytest.fixture
def _z3() -> None:
    pytest.importorskip("z3")


def seen(romproof: Run, command: str, *args: str) -> set[str]:
    done = romproof(command, *args, "--json")
    document = json.loads(done.stdout)
    assert document["roms"], done.stderr
    return {
        row.get("name", row.get("routine")) for each in document["roms"] for row in each["routines"]
    }


def project(folder: Path, text: str, cpu: str = "6502") -> None:
    (folder / "p.asm").write_text(text)
    (folder / "pyproject.toml").write_text(
        f'[tool.romproof]\nname = "p"\nsources = ["p.asm"]\ncpu = "{cpu}"\n'
    )


SOURCES = {
    "ca65, nothing exported": ("6502", PROGRAM_6502, {"start", "one", "two"}, set()),
    "ca65, one exported": (
        "6502",
        ".export start\n" + PROGRAM_6502,
        {"start"},
        {"one", "two"},
    ),
    "ca65, data exported": (
        "6502",
        ".export table, cell\n" + PROGRAM_6502,
        {"start", "one", "two"},
        set(),
    ),
    "ca65, a procedure beside labels": (
        "6502",
        PROGRAM_6502.replace("two: ", ".proc two\n").replace("rts\ntable", "rts\n.endproc\ntable"),
        {"start", "one", "two"},
        set(),
    ),
    "ca65, exported where another routine goes on": (
        "6502",
        ".export start, again\n" + PROGRAM_6502,
        {"start", "again"},
        {"one", "two"},
    ),
    "rgbasm, nothing exported": ("sm83", PROGRAM_SM83.format(":"), {"start", "one", "two"}, set()),
    "rgbasm, one exported": ("sm83", PROGRAM_SM83.format("::"), {"start"}, {"one", "two"}),
}  # fmt: skip


@pytest.mark.slow_cases("ca65, nothing exported", "ca65, exported where another routine goes on")
@needs_z3
@pytest.mark.parametrize("kind", SOURCES)
def test_routines_of_own_sources(tmp_path: Path, romproof: Run, kind: str) -> None:
    cpu, text, public, private = SOURCES[kind]
    project(tmp_path, text, cpu)
    for command in ("bounds", "infer"):
        assert seen(romproof, command, "p") == public, command
        if private:
            assert seen(romproof, command, "p", "--all") == public | private, command
        done = romproof(command, "p:table")
        assert done.returncode == 2
        assert "there is no code at" in done.stderr


@needs_z3
@pytest.mark.parametrize(
    ("kind", "inner"),
    [
        ("ca65, one exported", "again"),
        ("ca65, a procedure beside labels", "two::again"),
        ("rgbasm, one exported", "again"),
    ],
)
def test_what_is_named_needs_neither_export_nor_call(
    tmp_path: Path, romproof: Run, kind: str, inner: str
) -> None:
    cpu, text, *_ = SOURCES[kind]
    project(tmp_path, text, cpu)
    for command in ("bounds", "infer"):
        assert inner in seen(romproof, command, f"p:{inner}")
        done = romproof(command, "p:tabel")
        assert (done.returncode, "did you mean 'table'" in done.stderr) == (2, True)


@needs_z3
def test_what_is_not_exported_is_not_written_to(tmp_path: Path, romproof: Run) -> None:
    """Nobody would read the contract."""
    project(tmp_path, ".export start\n" + PROGRAM_6502)
    before = (tmp_path / "p.asm").read_text()
    done = romproof("infer", "p:one", "--write")
    assert "one: contract not written: it is not exported" in done.stderr
    assert (tmp_path / "p.asm").read_text() == before


def image(folder: Path, kind: str, listed: str) -> tuple[str, ...]:
    """A program with a list of its labels, and nothing else that is known of it."""
    lines = {
        "vice": [f"al C:{at:04x} .{name}" for name, at in PLACES.items()],
        "equates": [f"{name} = ${at:04X}" for name, at in PLACES.items()],
        "kick": [f".label {name}=${at:x}" for name, at in PLACES.items()],
    }[listed]
    (folder / "p.lbl").write_text("\n".join(lines) + "\n")
    if kind == "prg":
        (folder / "p.prg").write_bytes(b"\x01\x08" + BASIC + CODE)
        return "p.prg", "--symbols", "p.lbl"
    (folder / "p.bin").write_bytes(CODE)
    return "p.bin", "--symbols", "p.lbl", "--load-address", "0x80d"


@needs_z3
@pytest.mark.parametrize("listed", ["vice", "equates", "kick"])
@pytest.mark.parametrize("kind", ["prg", "bin"])
def test_routines_of_a_list_of_labels(
    tmp_path: Path, romproof: Run, kind: str, listed: str
) -> None:
    name, *options = image(tmp_path, kind, listed)
    for command in ("bounds", "infer"):
        assert seen(romproof, command, f"{name}:two", *options) == {"two"}
        if kind == "prg":  # BASIC says where it begins
            assert seen(romproof, command, name, *options) == {"start", "one", "two"}
            continue
        done = romproof(command, name, *options)
        assert "it is not known which of its 5 labels are code" in done.stderr
        assert "name a routine, such as p:start" in done.stderr


@needs_z3
def test_inferred_contracts_of_a_list_of_labels_are_proved(tmp_path: Path, romproof: Run) -> None:
    name, *options = image(tmp_path, "bin", "vice")
    done = romproof("infer", f"{name}:start", *options, "--to", "c.s")
    assert (done.returncode, "3 tight" in done.stdout) == (0, True), done.stdout + done.stderr
    assert "; out:       A X N Z cell[1]\n" in done.stdout
    with_contracts = (name, *options, "--contracts", "c.s")
    done = romproof("prove", *with_contracts)
    assert (done.returncode, "3 proved" in done.stdout) == (0, True), done.stdout + done.stderr
    for command in ("bounds", "infer"):  # a contract says what is code
        assert seen(romproof, command, *with_contracts) == {"start", "one", "two"}


@needs_z3
@pytest.mark.parametrize("sources", [False, True], ids=["labels", "labels and sources"])
def test_routines_of_a_game_with_labels(tmp_path: Path, romproof: Run, sources: bool) -> None:
    """The vectors lead to code; sources say what is code where nothing leads to it."""
    source = tmp_path / "src"
    source.mkdir()
    idle = "idle:\n xor a\n ret\n"
    text = PROGRAM_SM83.format(":").replace("table:", idle + "table:")
    (source / "p.asm").write_text(
        text + 'SECTION "head", ROM0[$100]\n nop\n jp start\n ds $4c, 0\n'
    )
    os.chdir(tmp_path)
    assert romproof("rgbasm", "-o", "p.o", "src/p.asm").returncode == 0
    assert romproof("rgblink", "-n", "p.sym", "-o", "p.gb", "p.o").returncode == 0
    assert romproof("rgbfix", "-v", "-p", "0", "p.gb").returncode == 0
    options = ["--symbols", "p.sym", *(["--sources", "src"] if sources else [])]
    expected = {"start", "one", "two"} | ({"idle"} if sources else set())
    for command in ("bounds", "infer"):
        assert seen(romproof, command, "p.gb", *options) == expected
        assert seen(romproof, command, "p.gb:idle", *options) == {"idle"}


@needs_z3
def test_routines_in_namespaces(tmp_path: Path, romproof: Run) -> None:
    """KickAssembler's: a namespace is no routine, and what is in the braces of a label is local."""
    name, *options = image(tmp_path, "prg", "kick")
    (tmp_path / "p.lbl").write_text(
        ".label start=$80d\n.namespace game {\n  .label one=$814\n  .namespace inner {\n"
        "    .label two=$81a {\n      .label again=$81c\n    }\n  }\n}\n.label cell=$2000\n"
    )
    names = {"start", "game.one", "game.inner.two"}
    for command in ("bounds", "infer"):
        assert seen(romproof, command, name, *options) == names
        inner = "game.inner.two.again"
        assert seen(romproof, command, f"{name}:{inner}", *options) == {inner}
    assert romproof("infer", name, *options, "--to", "c.s").returncode == 0
    done = romproof("prove", name, *options, "--contracts", "c.s")
    assert (done.returncode, "3 proved" in done.stdout) == (0, True), done.stdout + done.stderr
    done = romproof("run", name, *options, "--machine", "flat", "--call", "game.inner.two")
    assert "game.inner.two  22 cycles" in done.stdout
