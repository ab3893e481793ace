; SPDX-License-Identifier: MIT
; The generator's key out of the players' words.
.include "mjarcade/mjarcade.inc"

.segment "CODE"

;; mj_make_key – sort the players, interleave their words, mix the uncertain element in.
; in:       zp mj_players mj_words[80] mj_uncertain[4]
; requires: mj_players in 3..4
; out:      mj_key[80] mj_words[80]   (mj_words in ascending order)
; clobbers: A X Y N V Z C zp mj_at mj_from
; stack:    3
; cycles:   1367..7656   (in order, and of three; all out of order, and the last bytes decide)
; invariant: @pair: mj_at in 1..3, mj_at < mj_players, mj_from in 1..3, mj_from <= mj_at,
;           X == MJ_BYTES * (mj_at - mj_from)
; invariant: @player: mj_at in 1..4, mj_at <= mj_players, mj_from in 0..16, mj_from % 4 == 0,
;           X == mj_from + MJ_BYTES * (mj_players - mj_at),
;           Y == mj_players * mj_from + 4 * (mj_players - mj_at)
; loops:    @pass 4, @pair 3
; decreases: @pair: mj_at * (mj_at - 1) + 2 * mj_from
; decreases: @player: mj_players * (16 - mj_from) + 4 * mj_at
.proc mj_make_key
  ; sort: neighbours are exchanged that are out of order, so that the greatest of the players
  ; comes last; then of all but the last one, and so on
  lda mj_players
  sta mj_at
@pass:
  dec mj_at             ; pairs of neighbours
  beq @sorted
  lda mj_at
  sta mj_from
  ldx #0
@pair:
    jsr mj_order
    dec mj_from
    bne @pair
  beq @pass             ; always
@sorted:
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

;; mj_order – exchange the player at X and the next one, if the first has more.
; in:       X mj_words[80]
; requires: X in 0..MJ_BYTES * 2, X % MJ_BYTES == 0
; out:      X mj_words[80]
; ensures:  X == old X + MJ_BYTES   (the next one)
; clobbers: A Y N V Z C
; stack:    1
; cycles:   34..997   (in order by the first bytes; out of order by the last ones)
; loops:    @byte 20
; invariant: @byte: Y in 1..MJ_BYTES, X == old X + MJ_BYTES - Y
; decreases: @byte: Y
.proc mj_order
  txa
  pha
  ldy #MJ_BYTES         ; compare, highest bytes first
@byte:
    lda mj_words + MJ_BYTES,x
    cmp mj_words,x
    bne @decided
    inx
    dey
    bne @byte
@decided:
  pla
  bcc @exchange
  adc #MJ_BYTES - 1     ; carry is set
  tax
  rts
@exchange:
  tax
  ldy #MJ_BYTES
@both:
    lda mj_words,x
    pha
    lda mj_words + MJ_BYTES,x
    sta mj_words,x
    pla
    sta mj_words + MJ_BYTES,x
    inx
    dey
    bne @both
  rts
.endproc
