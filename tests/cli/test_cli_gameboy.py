"""The commands on a small Game Boy project."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_programs import Run

from romproof.toolchains.rgbds.fix import check_header

PRNG = """\
SECTION "Header", ROM0[$0100]
    nop
    jp main
    ds $150 - @, 0

SECTION "High RAM", HRAM
lfsr:: ds 4             ; most significant byte first

SECTION "Main", ROM0[$0150]
main::
    di
    ld hl, lfsr
    ld [hl], SEED
    call next_byte
.done:
    jr .done

;; next_byte – shift the register eight times and return its high byte.
; in:       hram lfsr[4]
; out:      A, lfsr[4]
; clobbers: B HL F
; stack:    0
; cycles:   214..286        (M-cycles, entry to RET inclusive)
next_byte::
    ld b, 8             ; 2
.step:
    ld hl, lfsr         ; 3
    srl [hl]            ; 4
    inc l               ; 1
    rr [hl]             ; 4
    inc l               ; 1
    rr [hl]             ; 4
    inc l               ; 1
    rr [hl]             ; 4
    jr nc, .next        ; 3, or 2 and
    ldh a, [lfsr]       ;   3
    xor a, $A3          ;   2
    ldh [lfsr], a       ;   3
.next:
    dec b               ; 1
    jr nz, .step        ; 3, 2
    ldh a, [lfsr]       ; 3
    ret                 ; 4
"""
# 8 steps: 2 + 8 * (3 + 4*4 + 3 + 3 + 1 + 3) - 1 + 3 + 4 = 240; each 1 that leaves: 7 more
PYPROJECT = """\
[tool.romproof]
name = "prng"
cpu = "sm83"
sources = ["prng.asm"]
defines = { SEED = 1 }

[tool.romproof.link]
tiny = true

[tool.romproof.header]
title = "PRNG"
mbc = "ROM"
old_licensee = 0x33
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    (tmp_path / "prng.asm").write_text(PRNG.replace("214..286", "240..296"), "utf-8")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    return tmp_path


def test_build(romproof: Run, folder: Path) -> None:
    done = romproof("build")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "prng: build/rom/prng.gb (32,768 bytes)\n"
    made = folder / "build/rom"
    assert {path.name for path in made.iterdir()} == {
        f"prng.{e}" for e in ("gb", "lst", "sym", "map")
    }
    rom = (made / "prng.gb").read_bytes()
    assert check_header(rom) == []
    assert rom[0x134:0x138] == b"PRNG"
    assert rom[0x150:0x156] == bytes.fromhex("f3 21 80 ff 36 01")
    assert "00:ff80 lfsr" in (made / "prng.sym").read_text()
    listing = (made / "prng.lst").read_text("utf-8")
    assert "CB 3E                         4" in listing
    assert "30 06                       2/3" in listing


def test_run(romproof: Run) -> None:
    args = "run prng --call next_byte --mem lfsr=00000101 --reg hl=3 --reg cf=1 --read lfsr --json"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    # $00000101: a 1 leaves in the first step, and another one in the last
    state = 0x101
    for _ in range(8):
        state = (state >> 1) ^ (0xA3000000 if state & 1 else 0)
    assert data["memory"] == {"lfsr": state.to_bytes(4, "big").hex()}
    names = ["a", "b", "c", "d", "e", "h", "l", "ime", "sp", "f"]
    assert list(data["registers"]) == names
    assert data["registers"]["a"] == state >> 24
    assert data["registers"]["sp"] == 0xE000
    assert data["flags"].keys() == {"z", "n", "h", "c"}
    text = romproof("run", "prng", "--call", "next_byte", "--mem", "lfsr=00000000").stdout
    assert text.startswith(
        "next_byte  240 M-cycles, 91 instructions, 0 bytes of stack\nA $00  BC $"
    )
    assert "flags ZN" in text


def test_report_of_a_routine(romproof: Run) -> None:
    args = "report prng --call next_byte --mem lfsr=12345678 --repeat 5"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game Boy at 1,048,576 Hz" in done.stdout
    assert " M-cycles, " in done.stdout
    assert "240..296 ok" in done.stdout


@pytest.mark.slow
def test_report_of_the_program_runs_it_on_a_game_boy(romproof: Run) -> None:
    done = romproof("report", "prng", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert data["entry"] == "$0100"
    assert [r["name"] for r in data["routines"]] == ["next_byte", "main", "$0100"]
    assert data["clock"]["cycles_per_frame"] == 17556


def test_a_broken_contract(romproof: Run, folder: Path) -> None:
    (folder / "prng.asm").write_text(PRNG, "utf-8")
    args = "run prng --call next_byte --mem lfsr=ffffffff"
    done = romproof(*args.split())
    assert done.returncode == 1
    assert "prng.asm:23:3: error: next_byte: the call took 296 M-cycles; the claim is 214..286" in (
        done.stderr
    )
    assert "43  0178  C9             4  |     ret" in done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (
            "--reg x=1",
            "the program is for the sm83, which has no 'x' (registers a b c d e h l ime ",
        ),
        ("--reg z=1", "which has no 'z'"),
        ("--reg cf=2", "cf=2 is not within 0..1"),
        ("--reg a=256", "a=256 is not within 0..255"),
        ("--reg hl=65536", "hl=65536 is not within 0..65535"),
    ],
)
def test_registers_that_are_refused(romproof: Run, args: str, told: str) -> None:
    done = romproof("run", "prng", "--call", "next_byte", *args.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_asm_without_a_project(romproof: Run, folder: Path) -> None:
    args = "asm prng.asm -o x.gb --cpu sm83 -D SEED=7 --labels x.sym --map x.map"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "x.gb").read_bytes()[0x150:0x156] == bytes.fromhex("f3 21 80 ff 36 07")
    assert "00:0150 main" in (folder / "x.sym").read_text()
    args = "asm prng.asm -o x.gb --cpu sm83 -t c64"
    refused = romproof(*args.split())
    assert refused.returncode == 2
    assert "--target" in refused.stderr


@pytest.mark.slow
def test_disassemble_and_assemble_again(romproof: Run, folder: Path) -> None:
    romproof("build")
    rom = (folder / "build/rom/prng.gb").read_bytes()
    args = "disasm build/rom/prng.gb --labels build/rom/prng.sym"
    done = romproof(*args.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "        jr nc, next_byte_next   ; 016B  30 06     2/3\n" in done.stdout
    (folder / "y.asm").write_text(done.stdout, "utf-8")
    args = "asm y.asm -o y.gb --cpu sm83"
    again = romproof(*args.split())
    assert (again.returncode, again.stderr) == (0, "")
    assert (folder / "y.gb").read_bytes() == rom


BANKED = """\
SECTION "home", ROM0[$150]
;; near – A is 0
; in: none
; out: A
; ensures: A == 0
; clobbers: F
; cycles: 5
near::
  xor a
  ret
SECTION "one", ROMX, BANK[1]
one::
  ret
SECTION "two", ROMX, BANK[2]
;; far – A is 0
; in: none
; out: A
; ensures: A == 1
; clobbers: F
; cycles: 5
far::
  xor a
  ret
"""


def test_contracts_in_all_banks_are_looked_at(romproof: Run, tmp_path: Path) -> None:
    (tmp_path / "game.asm").write_text(BANKED)
    head = '[tool.romproof]\ncpu = "sm83"\nsources = ["game.asm"]\nheader = { mbc = "MBC1" }\n'
    (tmp_path / "pyproject.toml").write_text(head)
    for banks in ("", "banks = ['ROMX[2]']\n"):
        (tmp_path / "pyproject.toml").write_text(head + banks)
        done = romproof("prove")
        assert (done.returncode, done.stderr) == (1, "")
        assert re.search(r"near +proved", done.stdout)
        assert re.search(r"far +refuted", done.stdout)
        assert "2 routines: 1 proved, 1 refuted" in done.stdout
        done = romproof("bounds")
        assert (done.returncode, done.stderr) == (0, "")
        assert re.search(r"near +\d", done.stdout)
        assert re.search(r"far +\d", done.stdout)
    assert romproof("prove", "rom:far").returncode == 1
    assert romproof("prove", "rom:near").returncode == 0
