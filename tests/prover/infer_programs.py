"""Small routines without contracts, for tests that infer them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import romproof
from romproof.prover.infer.infer import Inference, Inferred

SOURCE_6502 = """\
.segment "ZEROPAGE"
.exportzp seed, table, after
seed:  .res 1
table: .res 4
after: .res 1

.segment "CODE"
.export halve, put, mix, same_or_more, saved, caller, used, twice

halve:
  lsr a
  adc #0
  rts

put:
  sta table,x
  rts

mix:
  eor seed
  asl a
  bcc @n
  eor #$1D
@n:
  sta seed
  rts

same_or_more:
  cmp seed
  bcs @done
  lda seed
@done:
  rts

saved:
  pha
  txa
  pha
  ldx #2
  stx after
  pla
  tax
  pla
  rts

used:
  ldx seed
  ldy #1
  inc seed
  rts

caller:
  jsr used
  stx after
  ldx #0
  ldy #0
  lda #0
  rts

twice:
  jsr mix
  jmp mix
"""

SOURCE_SM83 = """\
SECTION "v", WRAM0[$C100]
wSeed:: ds 1
wTable:: ds 4
wAfter:: ds 1

SECTION "c", ROM0[$0150]
Halve::
  srl a
  adc 0
  ret

Put::
  ld c, a
  ld b, 0
  ld hl, wTable
  add hl, bc
  ld [hl], d
  ret

Mix::
  ld hl, wSeed
  xor [hl]
  add a
  jr nc, .n
  xor $1D
.n
  ld [hl], a
  ret

Saved::
  push bc
  ld b, 2
  ld a, b
  ld [wAfter], a
  pop bc
  ret

Keys::
  ldh a, [$FF00]
  cpl
  and $0F
  ret
"""


def rom_6502(folder: Path, source: str = SOURCE_6502) -> romproof.Rom:
    """The routines of the 6502, assembled."""
    (folder / "small.s").write_text(source)
    (folder / "pyproject.toml").write_text('[tool.romproof]\nsources = ["small.s"]\n')
    return romproof.load(folder)


def rom_sm83(folder: Path, source: str = SOURCE_SM83) -> romproof.Rom:
    """Those of the SM83."""
    (folder / "small.asm").write_text(source)
    (folder / "pyproject.toml").write_text(
        '[tool.romproof]\nsources = ["small.asm"]\ncpu = "sm83"\n'
    )
    return romproof.load(folder)


def inferred(rom: romproof.Rom, *names: str) -> dict[str, Inferred]:
    """What is inferred of routines and all that they call."""
    work = Inference(rom)
    return {row.name: row for row in work.infer(work.order(names))}


def field(row: Inferred, name: str) -> Sequence[str]:
    """The words of a field of a contract."""
    text = row.block.replace("\n;  ", " ")
    line = next((each for each in text.splitlines() if each.startswith(f"; {name}:")), "")
    words = line.partition(":")[2].split()
    return [] if words == ["none"] else words
