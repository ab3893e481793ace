; SPDX-License-Identifier: MIT
; A mahjong tile and a die as tiles of the screen.
INCLUDE "gameboy.inc"
INCLUDE "tenhou/tenhou.inc"
INCLUDE "wall_names.inc"
INCLUDE "wall_rom.inc"

; Palettes: text, characters, circles, bamboos, honours; red fives and the red dragon.
DEF PALETTE_SUITS  EQU 1
DEF PALETTE_GREEN  EQU 3
DEF PALETTE_HONOUR EQU 4
DEF PALETTE_RED    EQU 5

SECTION "tile", ROM0

;; tile_picture – the two tiles of the screen that show a mahjong tile.
; in:       A
; requires: A < TENHOU_TILES
; out:      A B C      (palette, upper, lower)
; clobbers: D E F
; stack:    0
tile_picture::
  ld e, a
  srl a
  srl a                   ; the kind
  ld d, 0
.suit
    cp 9
    jr c, .number
    sub 9
    inc d
    bit 0, d
    jr z, .suit
    bit 1, d
    jr z, .suit
  ; honours: 0 east to 6 red
  ld d, PALETTE_RED
  cp 6
  jr z, .honour
  ld d, PALETTE_GREEN
  cp 5
  jr z, .honour
  ld d, PALETTE_HONOUR
.honour
  add a, a
  add TILE_HONOUR
  ld b, a
  inc a
  ld c, a
  ld a, d
  ret
.number
  add TILE_NUMBER
  ld b, a
  ld a, e
  cp 4 * 4                ; the first of each five is red
  jr z, .red
  cp 4 * 13
  jr z, .red
  cp 4 * 22
  jr z, .red
  ld a, d
  add TILE_SUIT
  ld c, a
  ld a, d
  add PALETTE_SUITS
  ret
.red
  ld b, TILE_RED_NUMBER
  ld a, d
  add TILE_RED_SUIT
  ld c, a
  ld a, PALETTE_RED
  ret

; Put the mahjong tile A to HL; the screen is off.
; out: HL the next column; all other registers are lost
put_tile::
  call tile_picture
  push hl
  ld [hl], b
  ld de, MAP_COLUMNS
  add hl, de
  ld [hl], c
  pop hl
  push hl
  ld b, 1
  ld d, 2
  call colour_box
  pop hl
  inc hl
  ret

; Put a die that shows A to HL; the screen is off.  All registers are lost.
put_die::
  dec a
  add a, a
  add a, a
  add TILE_DIE
  ld [hl+], a
  inc a
  ld [hl], a
  inc a
  ld de, MAP_COLUMNS - 1
  add hl, de
  ld [hl+], a
  inc a
  ld [hl], a
  ret
