; SPDX-License-Identifier: MIT
; Colours, where there are any.
INCLUDE "gameboy.inc"

SECTION "colour state", WRAM0
is_colour:: ds 1        ; 1 on a Game Boy Color, else 0

SECTION "colour", ROM0

; A is what the boot program left there.  All registers but DE are lost.
colour_init::
  ld hl, is_colour
  ld [hl], 0
  cp BOOT_COLOUR
  ret nz
  ld [hl], 1
  ; Palettes cannot be written while a line is drawn.
  call screen_off
  ld a, BCPS_INCREMENT
  ldh [IO_BCPS], a
  ld hl, palettes
  ld b, palettes.end - palettes
.colour
    ld a, [hl+]
    ldh [IO_BCPD], a
    dec b
    jr nz, .colour
  ret

; Let B tiles from HL on, and D lines of them, have palette A.
; All registers are lost.
colour_box::
  ld c, a
  ld a, [is_colour]
  or a
  ret z
  ld a, 1
  ldh [IO_VBK], a
  ld a, MAP_COLUMNS
  sub b
  ld e, a
.line
    push bc
    ld a, c
.tile
      ld [hl+], a
      dec b
      jr nz, .tile
    ld a, l
    add e
    ld l, a
    adc h
    sub l
    ld h, a
    pop bc
    dec d
    jr nz, .line
  xor a
  ldh [IO_VBK], a
  ret
