; SPDX-License-Identifier: MIT
; The uncertain element: a number that every deal and every discard makes larger.
.include "mjarcade/mjarcade.inc"

.segment "CODE"

;; mj_add_deal – what a deal adds to the uncertain element.
; in:       zp mj_uncertain[4]
; out:      zp mj_uncertain[4]
; ensures:  mj_uncertain == (old mj_uncertain + 1) % $100000000
; clobbers: N Z
; stack:    0
; cycles:   14..32
.proc mj_add_deal
  inc mj_uncertain
  bne @done
    inc mj_uncertain+1
    bne @done
      inc mj_uncertain+2
      bne @done
        inc mj_uncertain+3
@done:
  rts
.endproc

;; mj_add_discard – what a discard adds: the player's how manieth of the round, times the tile.
; in:       A X zp mj_uncertain[4]   (A: the discard's number, X: the tile's value)
; requires: A >= 1, X in 1..9
; out:      zp mj_uncertain[4]
; ensures:  mj_uncertain == (old mj_uncertain + old A * old X) % $100000000
; clobbers: A N Z C V zp mj_bits[4]
; stack:    0
; cycles:   62..167
; loops:    @bit 1..4
.proc mj_add_discard
  sta mj_bits           ; the number, shifted left: two bytes
  stx mj_bits+2         ; the value, shifted right
  lda #0
  sta mj_bits+1
@bit:
    lsr mj_bits+2
    bcc @next
      clc
      lda mj_uncertain
      adc mj_bits
      sta mj_uncertain
      lda mj_uncertain+1
      adc mj_bits+1
      sta mj_uncertain+1
      bcc @next
        inc mj_uncertain+2
        bne @next
          inc mj_uncertain+3
@next:
    asl mj_bits
    rol mj_bits+1
    lda mj_bits+2
    bne @bit
  rts
.endproc

;; mj_tile_value – what a tile counts: the number of a suit tile, 1 to 7 of an honour.
; in:       A   (its kind: three suits of nine, winds, white, green, red)
; requires: A <= 33
; out:      A
; ensures:  A in 1..9
; clobbers: N V Z C
; stack:    0
; cycles:   13..35
.proc mj_tile_value
  cmp #MJ_HONOURS
  bcs @honour
@suit:
    cmp #MJ_SUIT
    bcc @number
    sbc #MJ_SUIT        ; carry is set by cmp
    bcs @suit           ; always
@number:
  adc #1                ; carry is clear by cmp
  rts
@honour:
  sbc #MJ_HONOURS - 1   ; carry is set by cmp
  rts
.endproc
