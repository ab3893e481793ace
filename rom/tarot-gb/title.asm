; SPDX-License-Identifier: MIT
; The title.
INCLUDE "gameboy.inc"
INCLUDE "tarot_names.inc"
INCLUDE "tarot_rom.inc"

SECTION "title", ROM0

title_screen::
  ld a, SCREEN_TITLE
  ld [screen], a
  call screen_clear
  map_place hl, 1, 5
  ld de, .word
  ld b, .word_end - .word
.letter                   ; four tiles each
    ld a, [de]
    inc de
    ld [hl+], a
    inc a
    ld [hl-], a
    inc a
    ld c, MAP_COLUMNS
    call .down
    ld [hl+], a
    inc a
    ld [hl+], a
    ld c, -MAP_COLUMNS
    call .down
    dec b
    jr nz, .letter
  map_place hl, 3, 4
  ld a, TILE_ORNAMENT
  ld b, COLUMNS - 2 * 4
.ornament
    ld [hl+], a
    dec b
    jr nz, .ornament
  ld a, PALETTE_BACK
  map_place hl, 1, 0
  ld b, COLUMNS
  ld d, 3
  call colour_box
  call compose_back
FOR I, SPREAD
  map_place hl, 4, 7 * I
  call show_cells
ENDR
  put_text 13, 3, "START: SHUFFLE"
  put_text 15, 1, "SELECT: TYPE A SEED"
  put_text 17, 6, "FAIRDECK"
  call screen_on
.wait
  call wait_for_press
  cp KEY_START
  jp z, deal_from_press
  cp KEY_SELECT
  jp z, seed_screen
  jr .wait

; HL = HL + C, which may be negative.  A, B and DE are kept.
.down
  push af
  ld a, c
  add a, a
  sbc a                   ; the sign
  push bc
  ld b, a
  add hl, bc
  pop bc
  pop af
  ret

.word
  db TILE_BIG_T, TILE_BIG_A, TILE_BIG_R, TILE_BIG_O, TILE_BIG_T
.word_end
