; SPDX-License-Identifier: MIT
; The screen: switched off to be drawn anew, or changed while no line is being drawn.
INCLUDE "gameboy.inc"

SECTION "lcd", ROM0

; Switch the screen off, when no line is being drawn: else it may be damaged.
; A is lost.
screen_off::
  ldh a, [IO_LCDC]
  add a, a
  ret nc                  ; it is off
  call wait_for_vblank
  ld a, LCDC_OFF
  ldh [IO_LCDC], a
  ret

; A is lost.
screen_on::
  ld a, LCDC_ON
  ldh [IO_LCDC], a
  ret

; Wait until the first line after the picture begins: then there are 1,100 M-cycles
; in which the map may be written.  Nothing to wait for when the screen is off.
; A is lost.
wait_for_vblank::
  ldh a, [IO_LCDC]
  add a, a
  ret nc
.leaving                  ; not the end of one that is under way
    ldh a, [IO_LY]
    cp VBLANK
    jr z, .leaving
.drawing
    ldh a, [IO_LY]
    cp VBLANK
    jr nz, .drawing
  ret

; Wait for B pictures.  A and B are lost.
wait_frames::
    call wait_for_vblank
    dec b
    jr nz, wait_frames
  ret

; Switch the screen off and fill the map with blanks in the first palette.
; All registers are lost.
screen_clear::
  call screen_off
  ld a, ' '
  call .fill
  ld a, [is_colour]
  or a
  ret z
  ld a, 1
  ldh [IO_VBK], a
  xor a
  call .fill
  xor a
  ldh [IO_VBK], a
  ret

.fill                     ; with A
  ld hl, MAP
  ld bc, HIGH(MAP_SIZE) << 8
.more
    ld [hl+], a
    dec c
    jr nz, .more
    dec b
    jr nz, .more
  ret
ASSERT LOW(MAP_SIZE) == 0, "the map is filled page by page"

; Once: all tiles from DE on; shades for a Game Boy without colours; no scrolling.
; The screen is off.  All registers are lost.
screen_init::
  ld hl, TILES
  ld bc, HIGH(ALL_TILES) << 8
.copy
    ld a, [de]
    inc de
    ld [hl+], a
    dec c
    jr nz, .copy
    dec b
    jr nz, .copy
  xor a
  ldh [IO_SCX], a
  ldh [IO_SCY], a
  ld a, %11_10_01_00      ; colour 0 is white, 3 is black
  ldh [IO_BGP], a
  ret
ASSERT LOW(ALL_TILES) == 0, "the tiles are copied page by page"

; Put COLUMNS bytes from DE to HL.  A, B, DE and HL are lost; 142 M-cycles.
put_row::
  ld b, COLUMNS
.column
    ld a, [de]
    inc de
    ld [hl+], a
    dec b
    jr nz, .column
  ret
