"""A large assembly source of the usual mixture, the same in every run."""

from __future__ import annotations

_PART = """\
.proc part{n}
  ldx #COUNT
@loop:
  lda table{n},x        ; a comment, as there are many
  clc
  adc #<(BASE + {n} * 3)
  sta target,x
  lda #>(part{n} + 2)
  eor zp+{z}
  bmi :+
  ror a
: add_word zp, #{n} & $FF
  dex
  bne @loop
  .if {n} .mod 2
  jmp part{n}
  .else
  rts
  .endif
table{n}:
  .byte {z}, "text {n}", $0D, %1010
  .word part{n}, table{n} - part{n}
.endproc

"""
_HEAD = """\
COUNT = 16
BASE  = $1234
zp     = $10
target = $0400

.macro add_word place, value
  clc
  lda place
  adc value
  sta place
  bcc :+
  inc place+1
:
.endmacro

"""
_PARTS = 1000
LINES = len(_HEAD.splitlines()) + _PARTS * len(_PART.splitlines())


def large_source() -> str:
    """The source; it has LINES lines."""
    return _HEAD + "".join(_PART.format(n=n, z=n % 128) for n in range(_PARTS))
