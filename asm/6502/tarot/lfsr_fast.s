; SPDX-License-Identifier: MIT
; The random generator with two tables of 256 bytes.
.include "tarot.inc"
.include "tables.inc"

M = TAROT_FEEDBACK

.segment "RODATA"
  .align 256            ; an index must never cross a page: constant time
; The product (b times the feedback byte, without carries) << 1: bit i of b adds
; the feedback byte where the eight steps leave it.
product_low:
  linear_table M << 1, M << 2, M << 3, M << 4, M << 5, M << 6, M << 7, M << 8
product_high:
  linear_table M >> 7, M >> 6, M >> 5, M >> 4, M >> 3, M >> 2, M >> 1, M
.assert <product_low = 0 && <product_high = 0, lderror, "the product tables must start a page"

.segment "CODE"

;; next_byte – advance the LFSR eight steps and return its high byte.
; in:       zp lfsr[4]
; out:      A, lfsr[4]
; clobbers: X N Z
; stack:    0
; cycles:   38 constant
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
