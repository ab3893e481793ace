; SPDX-License-Identifier: MIT
; A seed is typed.
INCLUDE "gameboy.inc"
INCLUDE "tarot_names.inc"
INCLUDE "tarot_rom.inc"

DEF SEED_DIGITS EQU 8

SECTION "typing state", WRAM0
refused: ds 1           ; 1: 00000000 was refused

SECTION "typing", ROM0

seed_screen::
  ld a, SCREEN_SEED
  ld [screen], a
  xor a
  ld [pointer], a
  ld [refused], a
  call screen_clear
  put_text 0, 4, "TYPE A SEED"
  put_text 5, 1, "LEFT RIGHT: CHOOSE"
  put_text 7, 1, "UP DOWN: CHANGE"
  put_text 9, 1, "START: SHUFFLE"
  put_text 11, 1, "B: BACK"
  call compose_seed
  call .put_rows
  call screen_on
.wait
  call wait_for_press
  ld b, a
  xor a
  ld [refused], a
  ld a, b
  cp KEY_B
  jp z, title_screen
  cp KEY_START
  jr z, .start
  call edit_seed
.show
  call compose_seed
  call wait_for_vblank
  call .put_rows
  jr .wait

.start
  ld hl, seed
  ld a, [hl+]
  or [hl]
  inc hl
  or [hl]
  inc hl
  or [hl]
  jp nz, deal_from_seed
  ; The register never leaves zero: every flip would be 0.
  ld a, 1
  ld [refused], a
  call sound_of_refusal
  jr .show

.put_rows
  map_place hl, 2, 0
  ld de, rows
  call put_two_rows
  map_place hl, 14, 0
  call put_row            ; DE goes on
  map_place hl, 16, 0
  jp put_row

;; edit_seed – what a key does to the seed or the pointer.
; in:       A wram seed[4] pointer
; requires: pointer <= 7
; out:      seed[4] pointer
; ensures:  pointer <= 7
; clobbers: A BC HL F
; stack:    2
edit_seed::
  ld hl, pointer
  cp KEY_LEFT
  jr z, .left
  cp KEY_RIGHT
  jr z, .right
  ld c, $01
  cp KEY_UP
  jr z, .change
  ld c, $0F
  cp KEY_DOWN
  ret nz
.change
  ; C is added to the digit, of which four bits are kept.
  ld a, [hl]
  srl a                   ; carry: the low half of the byte
  ld hl, seed
  push af
  add l
  ld l, a
  adc h
  sub l
  ld h, a
  pop af
  ld a, [hl]
  jr c, .low
    swap a
    ld b, a
    add c
    xor b
    and $0F
    xor b
    swap a
    ld [hl], a
    ret
.low
  ld b, a
  add c
  xor b
  and $0F
  xor b
  ld [hl], a
  ret
.left
  ld a, [hl]
  or a
  ret z
  dec [hl]
  ret
.right
  ld a, [hl]
  cp SEED_DIGITS - 1
  ret z
  inc [hl]
  ret

;; compose_seed – digits, pointer and message as lines of text.
; in:       wram seed[4] pointer refused
; requires: pointer <= 7
; out:      wram rows[80]
; clobbers: A BC DE HL F
; stack:    4
compose_seed::
  call rows_clear
  ld hl, rows + 2
  ld de, seed
  ld b, SEED_DIGITS / 2
.digits
    ld a, [de]
    swap a
    call put_digit
    inc hl
    ld a, [de]
    inc de
    call put_digit
    inc hl
    dec b
    jr nz, .digits
  ld a, [pointer]
  add a, a
  ld hl, rows + COLUMNS + 2
  add l
  ld l, a
  adc h
  sub l
  ld h, a
  ld [hl], TILE_POINTER_UP
  ld a, [refused]
  or a
  ret z
  ld hl, rows + 2 * COLUMNS + 1
  ld de, .refused
  call put_string
  ld hl, rows + 3 * COLUMNS + 1
  jp put_string           ; DE goes on
.refused
  db "00000000 IS REFUSED", 0
  db "IT NEVER CHANGES", 0
