; SPDX-License-Identifier: MIT
; The generator's key out of the players' words.
.include "mjarcade/mjarcade.inc"

.segment "CODE"

;; mj_make_key – sort the players, interleave their words, mix the uncertain element in.
; in:       zp mj_players mj_words[80] mj_uncertain[4]
; requires: mj_players in 3..4
; out:      mj_key[80] mj_words[80]   (mj_words in ascending order)
; clobbers: A X Y N V Z C zp mj_at mj_from
; stack:    4
; cycles:   1000..11000   (two passes of sorting are usual; four when all are out of order)
; loops:    @again 4
.proc mj_make_key
  ; sort: neighbours are exchanged until none are out of order
@again:
  ldx #0
  stx mj_at             ; set when something was exchanged
  lda mj_players
  sec
  sbc #1
  sta mj_from
@pair:
    jsr compare
    bcs @in_order
      jsr exchange
      inc mj_at
@in_order:
    txa
    clc
    adc #MJ_BYTES
    tax
    dec mj_from
    bne @pair
  lda mj_at
  bne @again
  ; interleave: the first words of all players, the second words of all, ...
  ldy #0                ; place in the key
  sty mj_from           ; the word's place within a player's
@word:
    ldx mj_from
    lda mj_players
    sta mj_at
@player:
      .repeat 4, i
        lda mj_words + 3 - i,x
        eor mj_uncertain + i
        sta mj_key + i,y
      .endrepeat
      txa
      clc
      adc #MJ_BYTES
      tax
      tya
      adc #4            ; carry is clear: X stays below 100
      tay
      dec mj_at
      bne @player
    lda mj_from
    clc
    adc #4
    sta mj_from
    cmp #MJ_BYTES
    bne @word
  rts
.endproc

; C clear: the player at X has more than the next one, highest bytes first.
.proc compare
  ldy #MJ_BYTES
  txa
  pha
@byte:
    lda mj_words + MJ_BYTES,x
    cmp mj_words,x
    bne @decided
    inx
    dey
    bne @byte
@decided:
  pla
  tax
  rts
.endproc

; Exchange the player at X and the next one.
.proc exchange
  txa
  pha
  ldy #MJ_BYTES
@byte:
    lda mj_words,x
    pha
    lda mj_words + MJ_BYTES,x
    sta mj_words,x
    pla
    sta mj_words + MJ_BYTES,x
    inx
    dey
    bne @byte
  pla
  tax
  rts
.endproc
