; SPDX-License-Identifier: MIT
; One coin flip out of the byte stream.
.include "tarot.inc"

.segment "CODE"

;; flip – the next random bit; a fresh byte gives eight, bit 0 first.
; in:       zp lfsr[4] rng flips_left
; requires: flips_left <= 8
; out:      C, lfsr[4] rng flips_left
; ensures:  flips_left <= 7
; clobbers: A X N Z
; stack:    2
; cycles:   19..         (with a fresh byte 32 more than next_byte)
.proc flip
  dec flips_left
  bpl @have
@fresh:
    jsr next_byte
    sta rng
    lda #7
    sta flips_left
@have:
  .assert >* = >@fresh, lderror, "the branch must not cross a page"
  lsr rng
  rts
.endproc
