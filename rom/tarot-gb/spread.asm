; SPDX-License-Identifier: MIT
; Three cards, to be turned over one after the other.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"
INCLUDE "tarot_rom.inc"

DEF TURN_FRAMES EQU 6
; The Knight of Pentacles: the only name that is too long to follow a blank.
DEF LONGEST EQU FIRST_MINOR + 3 * RANKS + 11

SECTION "spread", ROM0

spread_screen::
  ld a, SCREEN_SPREAD
  ld [screen], a
  call screen_clear
  call put_heading
  xor a
.card
    push af
    ld hl, turned
    cp [hl]
    jr nc, .back
      call compose_card
      pop af
      push af
      call show_card
      pop af
      push af
      call show_name
      jr .next
.back
      call compose_back
      pop af
      push af
      call show_card
.next
    pop af
    inc a
    cp SPREAD
    jr nz, .card
  call show_hint
  call screen_on
.wait
  call wait_for_press
  cp KEY_A
  jr z, .turn
  cp KEY_SELECT
  jp z, rest_screen
  cp KEY_START
  jp z, deal_again
  cp KEY_B
  jp z, title_screen
  jr .wait

.turn
  ld a, [turned]
  cp SPREAD
  jr z, .wait
  call sound_of_card
  call compose_edge
  ld a, [turned]
  call show_card
  ld b, TURN_FRAMES
  call wait_frames
  ld a, [turned]
  call compose_card
  ld a, [turned]
  call show_card
  ld a, [turned]
  call show_name
  ld hl, turned
  inc [hl]
  call show_hint
  jr .wait

; Show the composed picture as card A of the spread.
show_card:
  ld c, a
  add a, a
  add a, a
  add a, a
  sub c                   ; 7 columns each
  map_place hl, 2, 0
  add l
  ld l, a
  jp show_cells

; Show the name of card A of the spread, and how it lies.
show_name:
  push af
  call rows_clear
  pop af
  push af
  ld hl, rows
  add '1'
  ld [hl+], a
  sub '1'
  ld d, HIGH(deck)
  ld e, a
  ld a, [de]
  cp LONGEST
  jr z, .fits_so
    inc hl
.fits_so
  call put_name
  pop af
  push af
  ld hl, rows + COLUMNS + 2
  call put_orientation
  pop af
  swap a
  add a, a
  add a, a                ; two lines each
  map_place hl, 11, 0
  add l
  ld l, a
  adc h
  sub l
  ld h, a
  jp show_two_rows

; Say which key is next.
show_hint:
  call rows_clear
  ld a, [turned]
  cp SPREAD
  ld de, .turn
  jr nz, .chosen
    ld de, .rest
.chosen
  ld hl, rows + 1
  call put_string
  call wait_for_vblank
  ld de, rows
  map_place hl, 17, 0
  jp put_row
.turn
  db "A: TURN A CARD", 0
.rest
  db "SELECT: THE REST", 0
