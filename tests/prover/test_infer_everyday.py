"""Routines as people write them: indices that are used a byte further on, pointers that callers are
not seen to set, loops at unnamed labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502

import romproof
from romproof.prover.infer.infer import Grade
from romproof.prover.results import Verdict

OBJECTS = """\
.segment "ZEROPAGE"
.exportzp used
used: .res 1
.segment "BSS"
.align 256
.export sprites, line
sprites: .res 256
line: .res 40
.segment "CODE"
.export sprite, digits, length

; the last of four bytes is stored third
.proc sprite
  ldx used
  sta sprites+1,x
  sta sprites,x
  sta sprites+3,x
  sta sprites+2,x
  rts
.endproc

.proc digits
  sta line,y
  iny
  sta line,y
  rts
.endproc

.proc length
  ldy #0
: lda sprites,y
  beq :+
  iny
  bne :-
: rts
.endproc
"""


@pytest.mark.parametrize(
    ("name", "required", "written"),
    [("sprite", "used in 0..252", "sprites[256]"), ("digits", "Y in 0..38", "line[40]")],
)
def test_an_index_may_be_as_large_as_all_its_accesses_allow(
    name: str, required: str, written: str, tmp_path: Path
) -> None:
    found = inferred(rom_6502(tmp_path, OBJECTS), name)[name]
    assert " ".join(field(found, "requires")) == required
    assert written in field(found, "out")
    assert found.grade is Grade.TIGHT, found.loose


def test_a_loop_at_an_unnamed_label_is_cut_there(tmp_path: Path) -> None:
    found = inferred(rom_6502(tmp_path, OBJECTS), "length")["length"]
    assert found.grade in (Grade.TIGHT, Grade.SOUND), found.reason
    assert "decreases: length+2: 256 - Y\n" in found.block


LENGTH = """\
;; length – how long a string is.
; in:        sprites[256]
; out:       A Y N Z
; invariant: {place}: {invariant}
; decreases: {place}: {number}
"""


@pytest.mark.parametrize(
    ("place", "invariant", "number", "verdict"),
    [
        ("length+2", "0 == 0", "256 - Y", Verdict.PROVED),
        ("length+$2", "0 == 0", "256 - Y", Verdict.PROVED),
        ("length+2", "0 == 0", "255 - Y", Verdict.PROVED),
        ("length+2", "0 == 0", "254 - Y", None),
        ("length+2", "Y <= 254", "256 - Y", None),
        ("length+2", "0 == 0", "Y", None),
        ("length+5", "Y >= 1", "256 - Y", None),  # the first time it is 0
        ("length+7", "0 == 0", "256 - Y", Verdict.PROVED),  # every iteration comes there, too
        ("length+7", "Y >= 1", "256 - Y", None),
    ],
)
def test_slips_at_a_place_without_a_name(
    place: str, invariant: str, number: str, verdict: Verdict | None, tmp_path: Path
) -> None:
    contract = LENGTH.format(place=place, invariant=invariant, number=number)
    source = OBJECTS.replace(".proc length", f"{contract}.proc length")
    rom = rom_6502(tmp_path, source + '.segment "CODE"\n')
    (proof,) = romproof.prove(rom, "length")
    assert (proof.verdict is Verdict.PROVED) is (verdict is Verdict.PROVED), proof.findings
