; SPDX-License-Identifier: MIT
; The random generator without tables.
.include "tarot.inc"

.segment "CODE"

.if TAROT_FEEDBACK = $A3

;; next_byte_small – advance the LFSR eight steps and return its high byte.
; in:       zp lfsr[4]
; out:      A, lfsr[4]
; clobbers: X N Z C
; stack:    0
; cycles:   74 constant
.proc next_byte_small
  ; Eight steps at once: the outgoing byte b = lfsr3 meets the mask in a
  ; carry-less product, and the rest of the register moves down one byte.
  ;   new lfsr0 = b ^ b>>2 ^ b>>6 ^ b>>7
  ;   new lfsr1 = lfsr0 ^ b<<1 ^ b<<2 ^ b<<6
  ; Both sums are built from the longest shift inwards.
  ldx lfsr+2            ; becomes lfsr3 once b is done with
  lda lfsr+1
  sta lfsr+2
  lda lfsr+3
  asl a
  asl a
  asl a
  asl a
  eor lfsr+3
  asl a
  eor lfsr+3
  asl a
  eor lfsr+0
  sta lfsr+1
  lda lfsr+3
  lsr a
  eor lfsr+3
  lsr a
  lsr a
  lsr a
  lsr a
  eor lfsr+3
  lsr a
  lsr a
  eor lfsr+3
  stx lfsr+3
  sta lfsr+0
  rts
.endproc

.else

;; next_byte_small – advance the LFSR eight steps and return its high byte.
; in:       zp lfsr[4]
; out:      A, lfsr[4]
; clobbers: X N Z C
; stack:    0
; cycles:   213..221
.proc next_byte_small
  ; One step at a time, with the top byte in A.
  lda lfsr+0
  ldx #8
@step:
    lsr a
    ror lfsr+1
    ror lfsr+2
    ror lfsr+3
    bcc @no_feedback
      eor #TAROT_FEEDBACK
@no_feedback:
    dex
    bne @step
  .assert >* = >@step, lderror, "the loop must not cross a page"
  sta lfsr+0
  rts
.endproc

.endif
