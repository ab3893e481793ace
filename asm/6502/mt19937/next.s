; SPDX-License-Identifier: MIT
; One output.
.include "mt19937/mt19937.inc"

MATRIX = $9908B0DF
TEMPER_B = $9D2C5680
TEMPER_C = $EFC60000

.segment "CODE"

;; mt_next – renew one word of the state and return it tempered.
; in:       zp mt_this[2] mt_ahead[2] mt_state[2500]
; requires: mt_seeded
; out:      mt_y[4] mt_this[2] mt_ahead[2] mt_state[2500]   (mt_y lowest byte first)
; ensures:  mt_seeded
; clobbers: A X Y N V Z C
; stack:    2
; cycles:   402..466
.proc mt_next
  ; y = the top bit of this word and the others of the next, shifted right once
  ldy #3
  lda (mt_this),y
  asl a                 ; carry: the top bit
  ldy #7
  lda (mt_this),y
  and #$7F
  bcc @top_clear
    ora #$80
@top_clear:
  lsr a
  sta mt_y+3
  dey
  lda (mt_this),y
  ror a
  sta mt_y+2
  dey
  lda (mt_this),y
  ror a
  sta mt_y+1
  dey
  lda (mt_this),y
  ror a                 ; carry: the bit that leaves
  bcc @even
    eor #<MATRIX
    tax
    lda mt_y+1
    eor #<(MATRIX >> 8)
    sta mt_y+1
    lda mt_y+2
    eor #<(MATRIX >> 16)
    sta mt_y+2
    lda mt_y+3
    eor #<(MATRIX >> 24)
    sta mt_y+3
    txa
@even:
  ldy #0
  eor (mt_ahead),y
  sta (mt_this),y
  sta mt_y+0
  iny
  lda (mt_ahead),y
  eor mt_y+1
  sta (mt_this),y
  sta mt_y+1
  iny
  lda (mt_ahead),y
  eor mt_y+2
  sta (mt_this),y
  sta mt_y+2
  iny
  lda (mt_ahead),y
  eor mt_y+3
  sta (mt_this),y
  sta mt_y+3
  ; the first word is also the one behind the last
  lda mt_this
  cmp #<mt_state
  bne @not_first
  lda mt_this+1
  cmp #>mt_state
  bne @not_first
    lda mt_y+0
    sta mt_state + MT_BYTES + 0
    lda mt_y+1
    sta mt_state + MT_BYTES + 1
    lda mt_y+2
    sta mt_state + MT_BYTES + 2
    lda mt_y+3
    sta mt_state + MT_BYTES + 3
@not_first:
  ; both pointers one word on, round the end of the state
  ldx #mt_this
  jsr word_on
  ldx #mt_ahead
  jsr word_on
@temper:                ; y ^= y >> 11
  ldx mt_y+1
  ldy mt_y+2
  lda shr3,x
  eor shl5,y
  eor mt_y+0
  sta mt_y+0
  ldx mt_y+3
  lda shr3,y
  eor shl5,x
  eor mt_y+1
  sta mt_y+1
  lda shr3,x
  eor mt_y+2
  sta mt_y+2
  ; y ^= (y << 7) & b; X = y3, Y = y2
  tay
  lda shr1,y
  eor shl7,x
  and #<(TEMPER_B >> 24)
  eor mt_y+3
  sta mt_y+3
  ldx mt_y+1
  lda shr1,x
  eor shl7,y
  and #<(TEMPER_B >> 16)
  eor mt_y+2
  sta mt_y+2
  ldy mt_y+0
  lda shr1,y
  eor shl7,x
  and #<(TEMPER_B >> 8)
  eor mt_y+1
  sta mt_y+1
  lda shl7,y
  and #<TEMPER_B
  eor mt_y+0
  sta mt_y+0
  ; y ^= (y << 15) & c
  ldx mt_y+1
  ldy mt_y+2
  lda shr1,x
  eor shl7,y
  and #<(TEMPER_C >> 24)
  eor mt_y+3
  sta mt_y+3
  ldy mt_y+0
  lda shr1,y
  eor shl7,x
  and #<(TEMPER_C >> 16)
  eor mt_y+2
  sta mt_y+2
  ; y ^= y >> 18
  tax
  ldy mt_y+3
  lda shr2,x
  eor shl6,y
  eor mt_y+0
  sta mt_y+0
  lda shr2,y
  eor mt_y+1
  sta mt_y+1
  rts
.endproc

; The pointer at X in the zero page one word on, from the end back to the start.
.proc word_on
  lda 0,x
  clc
  adc #MT_WORD
  sta 0,x
  bcc @no_carry
    inc 1,x
@no_carry:
  cmp #<(mt_state + MT_BYTES)
  bne @done
  lda 1,x
  cmp #>(mt_state + MT_BYTES)
  bne @done
    lda #<mt_state
    sta 0,x
    lda #>mt_state
    sta 1,x
@done:
  rts
.endproc
