; SPDX-License-Identifier: MIT
; Which tiles bring a hand on.
.include "riichi/riichi.inc"

.segment "RODATA"
; By suit: its first kind, the one behind its last, and the places of the others' costs.
first_kind: .byte 0, 9, 18, 27
end_kind:   .byte 9, 18, 27, 34
slot:       .byte 0, 10, 20, 30
other_1:    .byte 10, 0, 0, 0
other_2:    .byte 20, 20, 10, 10
other_3:    .byte 30, 30, 30, 20

.segment "CODE"

;; ukeire – the tiles that lower the shanten of a hand of 3k+1 tiles.
; in:       zp hand[34] melded[34] melds unseen[34]
; requires: sound_hand, sound_unseen, at_most(13)
; out:      A useful[34] ukeire_now shanten_normal shanten_chiitoi shanten_kokushi   (A: how many tiles; ukeire_now: the shanten)
; clobbers: callees, zp ukeire_sum ukeire_kind ukeire_suit ukeire_kept[10]
; stack:    10
; cycles:   11500..2200000   (upper bound: every tile by the dearest targets; 975200 were the most seen)
; loops:    @suit 4..4, @kind 7..9
.proc ukeire
  jsr shanten
  sta ukeire_now
  lda #0
  sta ukeire_sum
  ldx #KINDS - 1
@clear:
    sta useful,x
    dex
    bpl @clear
  sta ukeire_suit
@suit:
    ; the other suits together, and what the suit itself is without the tile
    ldy ukeire_suit
    ldx other_1,y
    ldy #0
@first:
      lda suits,x
      sta joined,y
      inx
      iny
      cpy #COSTS
      bne @first
@second:
    ldy ukeire_suit
    ldx other_2,y
    jsr join
@third:
    ldx other_3,y
    jsr join
    ldx slot,y
    ldy #0
@keep:
      lda suits,x
      sta ukeire_kept,y
      inx
      iny
      cpy #COSTS
      bne @keep
    ldy ukeire_suit
    ldx first_kind,y
@kind:
      stx ukeire_kind
      lda unseen,x
      beq @next
      inc hand,x
      jsr lowers
      ldx ukeire_kind
      dec hand,x
      bcc @next
      lda unseen,x
      sta useful,x
      clc
      adc ukeire_sum
      sta ukeire_sum
@next:
      inx
      ldy ukeire_suit
      txa
      cmp end_kind,y
      bne @kind
    ldx slot,y
    ldy #0
@put_back:
      lda ukeire_kept,y
      sta suits,x
      inx
      iny
      cpy #COSTS
      bne @put_back
    inc ukeire_suit
    lda ukeire_suit
    cmp #SUITS
    bne @suit
  lda ukeire_sum
  rts
.endproc

; C set: the hand with one more tile of the suit has a lower shanten. A tile
; lowers each shanten by one at most and raises none, so only one that is the
; least now can matter, and it is lower when it is not the same.
.proc lowers
  lda shanten_normal
  cmp ukeire_now
  bne @pairs
  lda ukeire_suit
  jsr suit_costs
@joined:
  ldx suit_slot
  jsr join_wanted
  sec
  sbc #1
  cmp ukeire_now
  bne @yes
@pairs:
  lda shanten_chiitoi   ; never the least where it does not apply
  cmp ukeire_now
  bne @orphans
  jsr chiitoi_shanten
  cmp ukeire_now
  bne @yes
@orphans:
  lda shanten_kokushi
  cmp ukeire_now
  bne @no
  jsr kokushi_shanten
  cmp ukeire_now
  bne @yes
@no:
  clc
  rts
@yes:
  sec
  rts
.endproc
