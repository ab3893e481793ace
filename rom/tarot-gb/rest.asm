; SPDX-License-Identifier: MIT
; The cards that are not in the spread.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"
INCLUDE "tarot_names.inc"
INCLUDE "tarot_rom.inc"

DEF IN_ROW EQU 5
DEF CARD_WIDTH EQU COLUMNS / IN_ROW

SECTION "rest", ROM0

rest_screen::
  ld a, SCREEN_REST
  ld [screen], a
  ld a, SPREAD
  ld [pointer], a
  call screen_clear
  call put_heading
  ld a, SPREAD
.card
    push af
    call rest_place
    inc hl
    pop af
    push af
    call put_small
    pop af
    inc a
    cp CARDS
    jr nz, .card
  call show_pointer
  call screen_on
.wait
  call wait_for_press
  cp KEY_START
  jp z, deal_again
  cp KEY_B
  jp z, spread_screen
  cp KEY_SELECT
  jp z, spread_screen
  ld c, 1
  cp KEY_RIGHT
  jr z, .move
  ld c, -1
  cp KEY_LEFT
  jr z, .move
  ld c, IN_ROW
  cp KEY_DOWN
  jr z, .move
  ld c, -IN_ROW
  cp KEY_UP
  jr nz, .wait
.move
  ld a, [pointer]
  ld b, a
  add c
  ; Below the first it is another card of the spread, or beyond 255.
  cp SPREAD
  jr c, .wait
  cp CARDS
  jr nc, .wait
  ld [pointer], a
  ld a, b
  call rest_place
  call wait_for_vblank
  ld [hl], ' '
  call show_pointer
  jr .wait

; Show the pointer, and the name of the card it points to.
show_pointer:
  call rows_clear
  ld a, [pointer]
  ld d, HIGH(deck)
  ld e, a
  ld a, [de]
  ld hl, rows
  call put_name
  ld a, [pointer]
  ld hl, rows + COLUMNS
  call put_orientation
  ld hl, rows + COLUMNS + 12
  ld de, .card
  call put_string
  ld a, [pointer]
  inc a
  ld e, a
  ld d, 0
  call put_decimal
  map_place hl, 16, 0
  call show_two_rows
  ld a, [pointer]
  call rest_place         ; soon enough: 600 M-cycles are left
  ld [hl], TILE_POINTER_RIGHT
  ret
.card
  db "CARD ", 0

;; rest_place – where in the map the card at a place is pointed to.
; in:       A
; requires: A >= SPREAD, A < CARDS
; out:      HL
; clobbers: A DE F
; stack:    0
rest_place::
  map_place hl, 0, 0
  ld de, MAP_COLUMNS
  sub SPREAD
.row
    add hl, de
    sub IN_ROW
    jr nc, .row
  add IN_ROW
  add a, a
  add a, a
  add l
  ld l, a
  ret
STATIC_ASSERT CARD_WIDTH == 4, "a card must be four tiles wide"
