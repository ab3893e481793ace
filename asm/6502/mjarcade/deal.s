; SPDX-License-Identifier: MIT
; The wall and the dice.
.include "mjarcade/mjarcade.inc"
.include "mt19937/mt19937.inc"
.include "arith/arith.inc"

.segment "CODE"

;; mj_deal – make a round's wall and dice from the players' seeds.
; in:       zp mj_players mj_uncertain[4] mj_seeds[108]
; requires: mj_players in 3..4
; out:      C, mj_wall[136] mj_dice[2]   (C set: a seed has a character that is not allowed)
; clobbers: callees, mj_tiles zp mt_key[2] mt_key_length[2]
; stack:    9
; cycles:   65..709756   (no call is known to reach the most: 635,000 to 680,000 were seen, most of it for the seeding)
; loops:    shuffle@sorted 108..136, shuffle@swap 108..136
.proc mj_deal
  jsr mj_decode
  bcc @decoded
    rts
@decoded:
  jsr mj_make_key
@seed:
  lda #<mj_key
  sta mt_key
  lda #>mj_key
  sta mt_key+1
  lda mj_players        ; five words each
  asl a
  asl a
  adc mj_players        ; carry is clear: at most four players
  sta mt_key_length
  lda #0
  sta mt_key_length+1
  jsr mt_init_by_array
@wall:
  ldx #MJ_TILES_4
  lda mj_players
  cmp #MJ_PLAYERS
  beq @four
    ldx #MJ_TILES_3
@four:
  stx mj_tiles
  jsr shuffle
@first_die:
  jsr die
  sta mj_dice
@second_die:
  jsr die
  sta mj_dice+1
  clc
  rts
.endproc

; Every place in turn is swapped with any place.
.proc shuffle
  ldx #0
@sorted:
    txa
    sta mj_wall,x
    inx
    cpx mj_tiles
    bne @sorted
  lda #0
  sta mj_at
@swap:
    lda mj_tiles
    jsr draw
    tay
    ldx mj_at
    lda mj_wall,x
    pha
    lda mj_wall,y
    sta mj_wall,x
    pla
    sta mj_wall,y
    inc mj_at
    lda mj_at
    cmp mj_tiles
    bne @swap
  rts
.endproc

; A face 1..6 in A.
.proc die
  lda #MJ_FACES
  jsr draw
  clc
  adc #1
  rts
.endproc

; The next output modulo A.
.proc draw
  pha
  jsr mt_next
  .repeat 4, i
    lda mt_y + i
    sta dividend + i
  .endrepeat
  pla
  jmp modulo
.endproc
