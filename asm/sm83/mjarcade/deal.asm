; SPDX-License-Identifier: MIT
; The wall and the dice.
INCLUDE "mjarcade/mjarcade.inc"
INCLUDE "mt19937/mt19937.inc"

SECTION "mjarcade deal", ROM0

;; mj_deal – make a round's wall and dice from the players' seeds.
; in:       mj_players mj_uncertain[4] mj_seeds[108]
; requires: mj_players in 3..4
; out:      CF, mj_wall[136] mj_dice[2]   (CF set: a seed has a character that is not allowed)
; clobbers: callees, mj_tiles hram mt_key[2] mt_key_length[2] dividend[4]
; stack:    8
; cycles:   57..529833      (no call is known to reach the most: 489,000 to 511,000 were seen)
; loops:    exchange_all.sorted 108..136, exchange_all.tile 108..136
mj_deal::
  call mj_decode
  ret c
.decoded
  call mj_make_key
.seed
  ld a, LOW(mj_key)
  ldh [mt_key + 0], a
  ld a, HIGH(mj_key)
  ldh [mt_key + 1], a
  ld a, [mj_players]    ; five words each
  ld b, a
  add a, a
  add a, a
  add b
  ldh [mt_key_length + 0], a
  xor a
  ldh [mt_key_length + 1], a
  call mt_init_by_array
.wall
  ld a, [mj_players]
  cp MJ_PLAYERS
  ld a, MJ_TILES_4
  jr z, .four
    ld a, MJ_TILES_3
.four
  ld [mj_tiles], a
  call exchange_all
.first_die
  call die
  ld [mj_dice + 0], a
.second_die
  call die
  ld [mj_dice + 1], a
  and a
  ret

; Every place in turn is exchanged with any place.
exchange_all:
  ld a, [mj_tiles]
  ld c, a
  ld hl, mj_wall
.sorted
    ld [hl], l
    inc l
    dec c
    jr nz, .sorted
  xor a
.tile
    ld [mj_at], a
    ld a, [mj_tiles]
    call draw
    ld l, a
    ld h, HIGH(mj_wall)
    ld a, [mj_at]
    ld e, a
    ld d, h
    ld a, [de]
    ld b, [hl]
    ld [hl], a
    ld a, b
    ld [de], a
    inc e
    ld a, [mj_tiles]
    cp e
    ld a, e
    jr nz, .tile
  ret
ASSERT LOW(mj_wall) == 0, "a tile's place must be the low byte of its address"

; A face 1..6 in A.
die:
  ld a, MJ_FACES
  call draw
  inc a
  ret

; The next output modulo A.
draw:
  push af
  call mt_next
FOR I, MT_WORD
  ldh a, [mt_y + I]
  ldh [dividend + I], a
ENDR
  pop af
  jp modulo
