; SPDX-License-Identifier: MIT
; The random generator with two tables of 256 bytes.
.include "tarot.inc"

; One table byte: which half of (b times the feedback byte, without carries) << 1.
; The term for bit i of b is the feedback byte where eight steps leave it.
.macro product_byte b, half
  .byte <(((((b) & $01) * 2 * TAROT_FEEDBACK) ^ (((b) & $02) * 2 * TAROT_FEEDBACK) ^ (((b) & $04) * 2 * TAROT_FEEDBACK) ^ (((b) & $08) * 2 * TAROT_FEEDBACK) ^ (((b) & $10) * 2 * TAROT_FEEDBACK) ^ (((b) & $20) * 2 * TAROT_FEEDBACK) ^ (((b) & $40) * 2 * TAROT_FEEDBACK) ^ (((b) & $80) * 2 * TAROT_FEEDBACK)) >> (8 * (half)))
.endmacro

.segment "RODATA"
  .align 256            ; an index must never cross a page: constant time
product_low:
.repeat 256, b
  product_byte b, 0
.endrepeat
product_high:
.repeat 256, b
  product_byte b, 1
.endrepeat
.assert <product_low = 0 && <product_high = 0, lderror, "the product tables must start a page"

.segment "CODE"

;; next_byte – advance the LFSR eight steps and return its high byte.
; in:       zp lfsr[4]
; out:      A, lfsr[4]
; clobbers: X N Z
; stack:    0
; cycles:   38
.proc next_byte
  ; Eight steps at once: the outgoing byte meets the feedback byte in a
  ; carry-less product, and the rest of the register moves down one byte.
  ldx lfsr+3
  lda lfsr+2
  sta lfsr+3
  lda lfsr+1
  sta lfsr+2
  lda product_low,x
  eor lfsr+0
  sta lfsr+1
  lda product_high,x
  sta lfsr+0
  rts
.endproc
