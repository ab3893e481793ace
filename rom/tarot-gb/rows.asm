; SPDX-License-Identifier: MIT
; Lines of text that are made first and then put on the screen at once.
INCLUDE "gameboy.inc"

SECTION "rows", WRAM0
rows:: ds 4 * COLUMNS

SECTION "rows code", ROM0

;; rows_clear – make all four lines blank.
; in:       none
; out:      wram rows[80]
; ensures:  all j in 0..79: rows[j] == 32
; clobbers: A B HL F
; stack:    0
rows_clear::
  ld hl, rows
  ld a, ' '
  ld b, 4 * COLUMNS
.blank
    ld [hl+], a
    dec b
    jr nz, .blank
  ret

; Put the first two lines to HL in the map and the line after it, when no line is
; being drawn.  All registers are lost.
show_two_rows::
  call wait_for_vblank
  ld de, rows
; fall through

; Put two lines from DE to HL.  All registers are lost; 300 M-cycles.
put_two_rows::
  call put_row
  ld a, l
  add MAP_COLUMNS - COLUMNS
  ld l, a
  adc h
  sub l
  ld h, a
  jp put_row

; SEED 12345678 #3 into row 0; the screen is off.
put_heading::
  put_text 0, 0, "SEED "
  ld de, seed
  ld b, 4
.seed
    ld a, [de]
    inc de
    call put_hexadecimal
    dec b
    jr nz, .seed
  ld a, ' '
  ld [hl+], a
  ld a, '#'
  ld [hl+], a
  ld a, [shuffles + 0]
  ld e, a
  ld a, [shuffles + 1]
  ld d, a
  jp put_decimal
