; SPDX-License-Identifier: MIT
; What is seen of a round: the hands first, then the rest of the wall.
INCLUDE "gameboy.inc"
INCLUDE "wall_names.inc"
INCLUDE "wall_rom.inc"

; The hands lie one below the other, each with its seat behind it.
DEF HANDS_ROW   EQU 3
DEF HAND_ROWS   EQU 3
DEF NAME_COLUMN EQU HAND + 1

SECTION "hand", WRAM0
hand:: ds HAND

SECTION "hands", ROM0

; The hands as they are dealt, each in order; dice and dora indicator.
hands_screen::
  ld a, SCREEN_HANDS
  ld [screen], a
  call screen_clear
  put_text 0, 0, "ROUND"
  map_place hl, 0, 6
  call put_chosen
  put_text 0, 9, "DORA"
  ld a, [built_in_dora]
  add INDICATORS
  ld l, a
  ld h, HIGH(tenhou_wall)
  ld a, [hl]
  map_place hl, 0, 14
  call put_tile
  map_place hl, 0, 16
  ld a, [tenhou_dice + 0]
  call put_die
  map_place hl, 0, 18
  ld a, [tenhou_dice + 1]
  call put_die
FOR I, SEATS
  IF I == 0
    put_text HANDS_ROW + HAND_ROWS * I, NAME_COLUMN, "EAST"
  ELIF I == 1
    put_text HANDS_ROW + HAND_ROWS * I, NAME_COLUMN, "SOUTH"
  ELIF I == 2
    put_text HANDS_ROW + HAND_ROWS * I, NAME_COLUMN, "WEST"
  ELSE
    put_text HANDS_ROW + HAND_ROWS * I, NAME_COLUMN, "NORTH"
  ENDC
  ld a, I
  call deal_hand
  map_place hl, HANDS_ROW + HAND_ROWS * I, 0
  call put_hand
ENDR
  put_text 17, 0, "A: WALL  B: ROUND"
  call screen_on
.wait
  call wait_for_press
  cp KEY_A
  jp z, wall_screen
  cp KEY_SELECT
  jp z, wall_screen
  cp KEY_B
  jp z, choose_screen
  jr .wait

; The live wall in the order it is drawn, and the dead wall as it is stacked.
wall_screen:
  ld a, SCREEN_WALL
  ld [screen], a
  call screen_clear
  put_text 0, 0, "ROUND"
  map_place hl, 0, 6
  call put_chosen
  put_text 0, 10, "LIVE WALL"
  map_place hl, 2, 0
  ld e, LIVE_FIRST
  ld b, COLUMNS
.live
    push bc
    push de
    ld d, HIGH(tenhou_wall)
    ld a, [de]
    call put_tile
    pop de
    pop bc
    dec e
    ld a, e
    cp DEAD - 1
    jr z, .dead
    dec b
    jr nz, .live
    ld b, COLUMNS
    ld a, l
    add 2 * MAP_COLUMNS - COLUMNS
    ld l, a
    adc h
    sub l
    ld h, a
    jr .live
.dead
  put_text 11, 8, "DEAD WALL"
  put_text 13, 8, "UPPER"
  put_text 15, 8, "LOWER"
  map_place hl, 12, 0
  ld a, [built_in_dora]
  call put_layer
  map_place hl, 14, 0
  ld a, [built_in_dora]
  xor 1
  call put_layer
  put_text 17, 0, "A: HANDS B: ROUND"
  call screen_on
.wait
  call wait_for_press
  cp KEY_A
  jp z, hands_screen
  cp KEY_SELECT
  jp z, hands_screen
  cp KEY_B
  jp z, choose_screen
  jr .wait

; One tile of each pair of the dead wall, A its place in the pair, from its end
; with the indicators to the one where play begins; to HL.  All registers are lost.
put_layer:
  ld e, a
.pair
    push de
    ld d, HIGH(tenhou_wall)
    ld a, [de]
    call put_tile
    pop de
    inc e
    inc e
    ld a, e
    cp DEAD
    jr c, .pair
  ret

; The hand to HL.  All registers are lost.
put_hand:
  ld de, hand
  ld b, HAND
.tile
    push bc
    push de
    ld a, [de]
    call put_tile
    pop de
    pop bc
    inc de
    dec b
    jr nz, .tile
  ret

;; deal_hand – the tiles that a seat is dealt, in order; 0 is the dealer's.
; in:       A wram tenhou_wall[136]
; requires: A < SEATS
; out:      hand[13]
; clobbers: A BC DE HL F
; stack:    0
deal_hand::
  ; Three times four tiles each, and then one, from the wall's end down.
  ld h, HIGH(tenhou_wall)
  ld b, a
  add a, a
  add a, a
  cpl
  add 136 - 4 + 1
  ld l, a
  ld de, hand
  ld c, 3
.block
REPT 4
    ld a, [hl+]
    ld [de], a
    inc de
ENDR
    ld a, l
    sub SEATS * 4 + 4
    ld l, a
    dec c
    jr nz, .block
  ld a, LIVE_FIRST + SEATS
  sub b
  ld l, a
  ld a, [hl]
  ld [de], a
  ; Neighbours change places until all are in order.
  ld b, HAND - 1
.pass
    ld hl, hand
    ld c, HAND - 1
.compare
      ld a, [hl+]
      cp [hl]
      jr c, .in_order
        ld d, [hl]
        ld [hl-], a
        ld [hl], d
        inc hl
.in_order
      dec c
      jr nz, .compare
    dec b
    jr nz, .pass
  ret
ASSERT LOW(tenhou_wall) == 0, "a tile's place must be the low byte of its address"
