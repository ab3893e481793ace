"""The same routines for both CPUs, for tests that hold them against models."""

from __future__ import annotations

from pathlib import Path

from romproof.harness.rom import Rom
from romproof.projects import build, load

MOS6502 = """\
.segment "ZEROPAGE"
.exportzp lfsr, sum, queue, pointer
lfsr: .res 4                ; most significant byte first
sum: .res 1
queue: .res 20
pointer: .res 2
.segment "CODE"
.export next_byte, add, bump, shift_in, maximum, careless, endless, plain, nothing

;; next_byte – shift the register eight times and return its high byte.
; in:       lfsr[4]
; out:      A, lfsr[4]
; clobbers: X N Z C
.proc next_byte
  ldx #8
  lda lfsr
@step:
  lsr a
  ror lfsr+1
  ror lfsr+2
  ror lfsr+3
  bcc @next
  eor #$A3
@next:
  dex
  bne @step
  sta lfsr
  rts
.endproc

;; add – A and X.
; in:       A X C
; out:      A C
; clobbers: sum N V Z
.proc add
  stx sum
  adc sum
  rts
.endproc

;; bump – one more.
; in:       sum
; out:      sum
; clobbers: N Z
.proc bump
  inc sum
  rts
.endproc

;; shift_in – A comes in at the end, the first one goes.
; in:       A queue[20]
; out:      queue[20]
; clobbers: X Y N Z C
.proc shift_in
  ldx #0
: ldy queue+1,x
  sty queue,x
  inx
  cpx #19
  bne :-
  sta queue,x
  rts
.endproc

;; maximum – the larger one.
; in:       A X
; requires: A < 100, X in 1..9
; out:      A
; clobbers: sum N V Z C
.proc maximum
  stx sum
  cmp sum
  bcs :+
  txa
: rts
.endproc

;; careless – breaks its promise for numbers from 128 on.
; in:       A
; out:      A
; clobbers: N Z C
.proc careless
  cmp #128
  bcc :+
  inx
: rts
.endproc

;; endless – does not return for 7.
; in:       A
; out:      A
; clobbers: N Z C
.proc endless
: cmp #7
  beq :-
  rts
.endproc

plain: rts

;; nothing – says little.
; clobbers: none
.proc nothing
  rts
.endproc
"""

LAYOUT = """\
MEMORY {
  ZP: start = $10, size = $F0, type = rw;
  ROM: start = $C000, size = $2000, type = ro, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP, type = zp;
  CODE: load = ROM, type = ro;
}
"""

SM83 = """\
SECTION "Variables", HRAM
lfsr:: ds 4                     ; most significant byte first
sum:: ds 1
queue:: ds 20

SECTION "Code", ROM0

;; next_byte – shift the register eight times and return its high byte.
; in:       lfsr[4]
; out:      A, lfsr[4]
; clobbers: B HL F
next_byte::
  ld b, 8
.step:
  ld hl, lfsr
  srl [hl]
  inc l
  rr [hl]
  inc l
  rr [hl]
  inc l
  rr [hl]
  jr nc, .next
  ldh a, [lfsr]
  xor a, $A3
  ldh [lfsr], a
.next:
  dec b
  jr nz, .step
  ldh a, [lfsr]
  ret

;; add_words – HL and DE.
; in:       HL DE
; out:      HL CF
; clobbers: NF HF
add_words::
  add hl, de
  ret

;; add_c – A and C.
; in:       A C CF
; out:      A ZF
; clobbers: F
add_c::
  adc a, c
  ret

;; bump – one more.
; in:       sum
; out:      sum
; clobbers: HL F
bump::
  ld hl, sum
  inc [hl]
  ret
"""


MODEL = """\
import pytest
import romproof

def model(state):
    for _ in range(8):
        state = (state >> 1) ^ (0xA3000000 if state & 1 else 0)
    return state >> 24, state

LFSR = dict(takes={"state": "lfsr:big"}, gives=("a", "lfsr:big"), examples=25)
"""

ENGINES = {"6502": "py65", "sm83": "plain"}
"""The CPUs, and for each an engine that is not the fastest."""


def write(folder: Path, cpu: str, wrong: bool = False) -> None:
    """A project for a CPU, ``6502`` or ``sm83``; ``wrong``: with a bit of next_byte changed."""
    source = MOS6502 if cpu == "6502" else SM83
    name = "prog.s" if cpu == "6502" else "prog.asm"
    (folder / name).write_text(source.replace("$A3", "$A2") if wrong else source, "utf-8")
    (folder / "prog.cfg").write_text(LAYOUT, "utf-8")
    keys = "config = 'prog.cfg'" if cpu == "6502" else "cpu = 'sm83'"
    (folder / "pyproject.toml").write_text(
        f"[tool.romproof]\nsources = ['{name}']\n{keys}\nengine = 'plain'\n"
        "[tool.pytest.ini_options]\n"
        # a run within a run has romproof already
        "filterwarnings = ['error', 'ignore::pytest.PytestAssertRewriteWarning']\n"
    )


def rom(folder: Path, cpu: str) -> Rom:
    """The program, built in an empty folder."""
    write(folder, cpu)
    return Rom(build(load(folder / "pyproject.toml", None)).image, "plain")
