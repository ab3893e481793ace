; SPDX-License-Identifier: MIT
; The remainder of a long division.

SECTION "arith variables", HRAM
dividend:: ds 4         ; 32 bits, lowest byte first

SECTION "arith modulo", ROM0

; One bit of HL into the remainder A, less the divisor B when that fits.
MACRO divide
  add hl, hl
  rla                   ; up to nine bits
  jr c, .subtract\@
  cp b
  jr c, .fits\@
.subtract\@
    sub b
.fits\@
ENDM

;; modulo – the remainder of a 32-bit number divided by A.
; in:       A hram dividend[4]
; requires: A != 0
; out:      A
; ensures:  A == old dividend % old A
; clobbers: BC HL F
; stack:    0
; cycles:   264..312
modulo::
  ld b, a
  ldh a, [dividend + 2]
  ld l, a
  ldh a, [dividend + 3]
  ld h, a
  xor a
REPT 16
  divide
ENDR
  ld c, a
  ldh a, [dividend + 0]
  ld l, a
  ldh a, [dividend + 1]
  ld h, a
  ld a, c
REPT 16
  divide
ENDR
  ret
