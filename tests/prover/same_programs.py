"""Versions of some routines, for tests that compare them."""

from __future__ import annotations

from pathlib import Path

import romproof
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.same.same import Sameness, prove_same
from romproof.prover.same.sides import pairs_of, side_of

HEAD = """\
.zeropage
fac: .res 1
prod: .res 2
tmp: .res 1
state: .res 2
other_state: .res 2
.bss
cells: .res 8
far: .res 256
.code
"""

CRC = """\
.export crc, crc_fast
;; crc – CRC-16-CCITT of one more byte.
; in: A state
; out: state
; clobbers: A X N V Z C
.proc crc
  eor state+1
  sta state+1
  ldx #8
@bit:
  asl state
  rol state+1
  bcc @next
  lda state+1
  eor #$10
  sta state+1
  lda state
  eor #$21
  sta state
@next:
  dex
  bne @bit
  rts
.endproc
;; crc_fast – the same without a loop.
; in: A state
; out: state
; clobbers: A X Y N V Z C
.proc crc_fast
  eor state+1
  sta state+1
  lsr a
  lsr a
  lsr a
  lsr a
  tax
  asl a
  eor state
  sta state
  txa
  eor state+1
  sta state+1
  asl a
  asl a
  asl a
  tax
  asl a
  asl a
  eor state+1
  tay
  txa
  rol a
  eor state
  sta state+1
  sty state
  rts
.endproc
"""


def rom_of(folder: Path, source: str, head: str = HEAD) -> romproof.Rom:
    """A program of routines for the 6502."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "p.s").write_text(head + source, "utf-8")
    (folder / "pyproject.toml").write_text('[tool.romproof]\nsources = ["p.s"]\n', "utf-8")
    return romproof.load(folder)


def compared(
    rom: romproof.Rom,
    one: str,
    other: str,
    *mapped: tuple[str, str],
    theirs: romproof.Rom | None = None,
) -> Sameness:
    """Two routines, of one program or of two."""
    second = theirs or rom
    known = second.contract_of(other)
    first = side_of(one, rom, one, known)
    pairs = pairs_of(first, side_of(other, second, other, first.contract), mapped)
    return prove_same(pairs, ProofOptions())
