"""Routines that bring a bank in sight: what they find there is not what was there before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from claims import few_runs, told

import romproof
from romproof.cli.views import views_of
from romproof.projects import build
from romproof.projects.manifest import manifest_from
from romproof.prover.results import Proof, Verdict
from romproof.prover.routines.program_proof import prove_rom

GB = """\
SECTION "entry", ROM0[$100]
 nop
 jp start
 ds $150 - @
start: jr start
;; bring – brings the bank of two.
; in: none
; out: volatile $2000[1]
; clobbers: A
bring::
 ld a, BANK(two)
 ld [$2000], a
 ret
;; it – for a test.
; in: none
; out: A volatile $2000[1]
; ensures: A == {value}
; clobbers: F
it::
 {code}
SECTION "one", ROMX[$4000], BANK[1]
;; one – gives 1.
; in: none
; out: A
; ensures: A == 1
; clobbers: none
one:: ld a, 1
 ret
SECTION "one's", ROMX[$5000], BANK[1]
first:: db 1
SECTION "two", ROMX[$4000], BANK[3]
two:: ld a, 2
 ret
SECTION "two's", ROMX[$5000], BANK[3]
second:: db 2
"""
GB_TABLE = {"machine": "gameboy", "sources": ["game.asm"], "header": {"mbc": "MBC5"}}

NES = """\
.segment "HEADER"
 .byte "NES", $1A, 4, 0, $20, 0
.segment "ONE"
;; one – gives 1.
; in: none
; out: A
; ensures: A == 1
; clobbers: N Z
.export one, first
one: lda #1
 rts
first: .byte 1
.segment "TWO"
.export two, second
two: lda #2
 rts
second: .byte 2
.segment "LAST"
reset: jmp reset
.export numbers
numbers: .byte 0, 1, 2, 3
;; bring – brings the bank of two.
; in: none
; out: volatile numbers[4]
; clobbers: A N Z
.export bring
bring: lda #1
 sta numbers+1
 rts
;; it – for a test.
; in: none
; out: A volatile numbers[4]
; ensures: A == {value}
; clobbers: X N Z
.export it
it:
 {code}
.segment "VECTORS"
 .word reset, reset, reset
"""
CONFIG = """\
MEMORY {
 HEADER: start=0, size=$10, file=%O, fill=yes;
 A: start=$8000, size=$4000, type=ro, file=%O, fill=yes;
 B: start=$8000, size=$4000, type=ro, file=%O, fill=yes;
 C: start=$8000, size=$4000, type=ro, file=%O, fill=yes;
 D: start=$C000, size=$4000, type=ro, file=%O, fill=yes;
}
SEGMENTS {
 HEADER: load=HEADER, type=ro; ONE: load=A, type=ro; TWO: load=B, type=ro;
 LAST: load=D, type=ro; VECTORS: load=D, type=ro, start=$FFFA;
}
"""
NES_TABLE = {
    "machine": "nes", "sources": ["game.s"], "config": "game.cfg", "output": "game.nes",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """What a routine does, and what it gives back on the machine."""

    code: str
    gives: int


CODE = {
    "gameboy": {
        "a callee switches, another is called": Case("call bring\n call two\n ret", 2),
        "it is jumped to": Case("call bring\n jp two", 2),
        "it switches itself": Case("ld a, 3\n ld [$2000], a\n call two\n ret", 2),
        "data of another bank": Case("call bring\n ld a, [second]\n ret", 2),
        "data by a pointer": Case("call bring\n ld hl, second\n ld a, [hl]\n ret", 2),
        "before and after": Case("call one\n ld b, a\n call bring\n call two\n add b\n ret", 3),
        "the fixed bank alone": Case("call bring\n ld a, 7\n ret", 7),
    },
    "nes": {
        "a callee switches, another is called": Case("jsr bring\n jsr two\n rts", 2),
        "it is jumped to": Case("jsr bring\n jmp two", 2),
        "it switches itself": Case("lda #1\n sta numbers+1\n jsr two\n rts", 2),
        "data of another bank": Case("jsr bring\n lda second\n rts", 2),
        "data by an index": Case("jsr bring\n ldx #0\n lda second,x\n rts", 2),
        "the fixed bank alone": Case("jsr bring\n lda #7\n rts", 7),
    },
}
ALONE = "the fixed bank alone"


def _written(folder: Path, machine: str, case: Case, value: int) -> dict[str, object]:
    text, name = (GB, "game.asm") if machine == "gameboy" else (NES, "game.s")
    text = text.replace("{value}", str(value)).replace("{code}", case.code)
    (folder / name).write_text(text.replace("clobbers: F", "clobbers: B HL F"))
    (folder / "game.cfg").write_text(CONFIG)
    cpu = "sm83" if machine == "gameboy" else "2a03"
    return {"name": "game", "cpu": cpu, **(GB_TABLE if machine == "gameboy" else NES_TABLE)}


def _proof(folder: Path, table: dict[str, object]) -> Proof:
    built = build(manifest_from(table, folder, "game", "test"))
    with few_runs():
        found = [p for view in views_of(built)[:1] for p in prove_rom(view.rom, ["it"])]
    (proof,) = (each for each in found if each.routine == "it")
    return proof


@pytest.mark.slow_cases("nes-a callee switches, another is called")
@pytest.mark.parametrize(
    ("machine", "name"), [(machine, name) for machine, cases in CODE.items() for name in cases]
)
def test_what_is_in_another_bank(machine: str, name: str, tmp_path: Path) -> None:
    """Neither what is so on the machine is refuted, nor what would be without a switch proved."""
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    case = CODE[machine][name]
    table = _written(tmp_path, machine, case, case.gives)
    lines = "".join(
        f"{key} = {value!r}\n" for key, value in table.items() if not isinstance(value, dict)
    )
    header = 'header = { mbc = "MBC5" }\n' if machine == "gameboy" else ""
    (tmp_path / "pyproject.toml").write_text(f"[tool.romproof]\n{lines}{header}")
    assert romproof.load(tmp_path).call("it", check=False).a == case.gives
    for value in (case.gives, case.gives - 1):
        proof = _proof(tmp_path, _written(tmp_path, machine, case, value))
        if name == ALONE:
            wanted = Verdict.PROVED if value == case.gives else Verdict.REFUTED
        else:
            wanted = Verdict.UNKNOWN
            assert any("may switch to another bank" in f.detail for f in proof.findings)
        assert proof.verdict is wanted, told(proof)


FLAT = """\
register = $FE00
.segment "LOW"
first: lda #0
 rts
.segment "HIGH"
;; second – gives 1.
; in: none
; out: A
; ensures: A == 1
; clobbers: N Z
.export second
second: lda #1
 rts
.segment "FIXED"
;; it – for a test.
; in: none
; out: A volatile register[1]
; ensures: A == 0
; clobbers: X N Z
.export it
it: ldx #1
 stx register
 jmp first
;; other – writes a variable that others change.
; in: none
; out: A volatile shared[1]
; ensures: A == 0
; clobbers: X N Z
.export other
other: ldx #1
 stx shared
 jmp first
.segment "BSS"
.export shared
shared: .res 1
"""
FLAT_CONFIG = """\
MEMORY {
 B0: start=$8000, size=$100, type=ro, file=%O, fill=yes;
 B1: start=$8000, size=$100, type=ro, file=%O, fill=yes;
 F: start=$9000, size=$100, type=ro, file=%O, fill=yes;
 R: start=$0300, size=$100, type=rw;
}
SEGMENTS { LOW: load=B0, type=ro; HIGH: load=B1, type=ro; FIXED: load=F, type=ro;
 BSS: load=R, type=bss; }
"""


def test_a_register_where_the_program_has_nothing(tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    (tmp_path / "game.s").write_text(FLAT)
    (tmp_path / "game.cfg").write_text(FLAT_CONFIG)
    table = {"name": "game", "sources": ["game.s"], "config": "game.cfg"}
    built = build(manifest_from(table, tmp_path, "game", "test"))
    with few_runs():
        found = {p.routine: p for p in prove_rom(views_of(built)[0].rom, ["it", "other"])}
    assert found["it"].verdict is Verdict.UNKNOWN, told(found["it"])
    assert found["other"].verdict is Verdict.PROVED, told(found["other"])
