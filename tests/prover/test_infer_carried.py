"""Results of loops that are cut: what they are made of is an input, and they are outputs."""

from __future__ import annotations

from pathlib import Path

import pytest
from infer_programs import field, inferred, rom_6502, rom_sm83

from romproof.prover.infer.infer import Grade

MOS = """\
.segment "ZEROPAGE"
.exportzp word, count, sum
word: .res 2
count: .res 1
sum: .res 1
.segment "BSS"
buf: .res 64
.export buf
.segment "CODE"
.export shift, shift_word, checksum, checked, only_counts, keeps
shift:          ; A, X times to the left
  cpx #0
  beq @e
@l:
  asl a
  dex
  bne @l
@e:
  rts
shift_word:     ; word, Y times to the right
@l:
  lsr word+1
  ror word
  dey
  bne @l
  rts
checksum:       ; all of so many bytes, in sum
  lda #0
  sta sum
  ldy count
@l:
  lda sum
  eor buf-1,y
  sta sum
  dey
  bne @l
  rts
checked:        ; the same, upon what there is
  ldy count
@l:
  lda sum
  eor buf-1,y
  sta sum
  dey
  bne @l
  rts
only_counts:    ; A is what was counted, whatever it was
@l:
  lda #7
  dex
  bne @l
  rts
keeps:          ; A comes back as it was, and N and Z say what it is
  pha
@l:
  lda #7
  sta sum
  dex
  bne @l
  pla
  rts
"""

SM83 = """\
SECTION "v", WRAM0[$C100]
wState:: ds 2

SECTION "c", ROM0[$0150]
Double::
  sla a
  dec b
  jr nz, Double
  ret

Multiply::
  ld hl, 0
.loop
  add hl, de
  dec c
  jr nz, .loop
  ret

Turn::
.loop
  ld hl, wState
  ld a, [hl+]
  xor [hl]
  ld [hl], a
  dec b
  jr nz, .loop
  ret
"""


@pytest.mark.quick_cases("checked-count[1] sum[1] buf[64]-A Y N Z sum[1]")
@pytest.mark.parametrize(
    ("routine", "inputs", "outputs"),
    [
        ("shift", "A X", "A X N Z C"),
        ("shift_word", "Y word[2]", "Y N Z C word[2]"),
        ("checksum", "count[1] buf[64]", "A Y N Z sum[1]"),
        ("checked", "count[1] sum[1] buf[64]", "A Y N Z sum[1]"),
        ("only_counts", "X", "A X N Z"),
        ("keeps", "A X", "X N Z sum[1]"),
    ],
)
def test_the_6502(routine: str, inputs: str, outputs: str, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    found = inferred(rom_6502(tmp_path, MOS), routine)[routine]
    assert found.grade is Grade.TIGHT, (found.loose, found.reason, found.fields)
    assert (field(found, "in"), field(found, "out")) == (inputs.split(), outputs.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("routine", "inputs", "outputs"),
    [
        ("Double", "A B", "A B F"),
        ("Multiply", "C DE", "C HL F"),
        ("Turn", "B wState[2]", "A B HL F $C101[1]"),
    ],
)
def test_the_sm83(routine: str, inputs: str, outputs: str, tmp_path: Path) -> None:
    pytest.importorskip("z3")
    found = inferred(rom_sm83(tmp_path, SM83), routine)[routine]
    assert found.grade is Grade.TIGHT, (found.loose, found.reason, found.fields)
    assert (field(found, "in"), field(found, "out")) == (inputs.split(), outputs.split())
