; SPDX-License-Identifier: MIT
; Seeds out of text.
.include "mjarcade/mjarcade.inc"

.segment "RODATA"
; The value of each character from "-" to "z"; $FF: it is not allowed.
FIRST = '-'
LAST  = 'z'
values:
.repeat LAST - FIRST + 1, i
  .if FIRST + i >= '0' && FIRST + i <= '9'
    .byte FIRST + i - '0'
  .elseif FIRST + i >= 'a' && FIRST + i <= 'z'
    .byte FIRST + i - 'a' + 10
  .elseif FIRST + i >= 'A' && FIRST + i <= 'Z'
    .byte FIRST + i - 'A' + 36
  .elseif FIRST + i = '-'
    .byte 62
  .elseif FIRST + i = '_'
    .byte 63
  .else
    .byte $FF
  .endif
.endrepeat

.segment "CODE"

;; mj_decode – the seeds of all players as words.
; in:       zp mj_players mj_seeds[108]
; requires: mj_players in 3..4
; out:      C, mj_words[80]   (C set: a character is not allowed; nothing else is then sure)
; clobbers: A X Y N V Z zp mj_at mj_from mj_bits[4]
; stack:    4
; cycles:   51..7173   (5384 of three players; less when a character is not allowed)
; invariant: @group: mj_at in 1..4, mj_at <= mj_players, mj_from in 0..6,
;           X == 27 * (mj_players - mj_at) + 4 * (6 - mj_from),
;           Y == MJ_BYTES * (mj_players - mj_at) + 3 * (6 - mj_from)
; decreases: @group: 1789 * mj_at + 263 * mj_from   (the cycles of a player, and of a group)
.proc mj_decode
  lda mj_players
  sta mj_at
  ldx #0                ; place in the text
  ldy #0                ; place among the bytes
@player:
    lda #MJ_BYTES / 3   ; six times four characters make three bytes
    sta mj_from
@group:
      jsr next_value
      bcs @bad
      asl a
      asl a
      sta mj_bits
      jsr next_value
      bcs @bad
      pha
      lsr a
      lsr a
      lsr a
      lsr a
      ora mj_bits
      sta mj_words,y
      iny
      pla
      asl a
      asl a
      asl a
      asl a
      sta mj_bits
      jsr next_value
      bcs @bad
      pha
      lsr a
      lsr a
      ora mj_bits
      sta mj_words,y
      iny
      pla
      dec mj_from
      bmi @rest
      lsr a
      ror a
      ror a
      and #$C0
      sta mj_bits
      jsr next_value
      bcs @bad
      ora mj_bits
      sta mj_words,y
      iny
      bne @group        ; always
@rest:
    ; three characters are left, 18 bits, of which 16 count: they are done
    dec mj_at
    bne @player
  clc
@bad:
  rts
.endproc

; The value of the character at X in A, and X to the next; C set: it has none.
.proc next_value
  lda mj_seeds,x
  inx
  sec
  sbc #FIRST
  cmp #LAST - FIRST + 1
  bcs @done             ; also what is below the first one
  stx mj_bits+1
  tax
  lda values,x
  ldx mj_bits+1
  cmp #$40              ; carry: not allowed
@done:
  rts
.endproc
