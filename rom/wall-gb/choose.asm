; SPDX-License-Identifier: MIT
; Which round is to be seen.
INCLUDE "gameboy.inc"
INCLUDE "wall_rom.inc"

SECTION "choose", ROM0

choose_screen::
  ld a, SCREEN_CHOOSE
  ld [screen], a
  call screen_clear
  put_text 0, 4, "TENHOU WALL"
  put_text 2, 0, "KEY "
  ld de, built_in_key
  ld b, 8
.key
    ld a, [de]
    inc de
    call put_hexadecimal
    dec b
    jr nz, .key
  put_text 5, 4, "< ROUND    >"
  map_place hl, 5, 12
  call put_chosen
  put_text 8, 1, "UP DOWN: ONE"
  put_text 10, 1, "RIGHT LEFT: TEN"
  put_text 12, 1, "START: MAKE IT"
  call screen_on
.wait
  call wait_for_press
  cp KEY_START
  jr z, .start
  call choose_by
  call wait_for_vblank
  map_place hl, 5, 12
  call put_chosen
  jr .wait
.start
  call make_round
  jp hands_screen

;; choose_by – what a key does to the chosen round.
; in:       A wram chosen
; requires: chosen < MAX_ROUNDS
; out:      chosen
; ensures:  chosen < MAX_ROUNDS
; clobbers: A B F
; stack:    0
choose_by::
  ld b, 1
  cp KEY_UP
  jr z, .by
  ld b, -1
  cp KEY_DOWN
  jr z, .by
  ld b, 10
  cp KEY_RIGHT
  jr z, .by
  ld b, -10
  cp KEY_LEFT
  ret nz
.by
  ld a, [chosen]
  add b
  cp MAX_ROUNDS
  ret nc                  ; there is none, above or below
  ld [chosen], a
  ret

; Two digits of the chosen round to HL.  A, B and HL are lost.
put_chosen::
  ld a, [chosen]
; fall through

; Two digits of A to HL.  A, B and HL are lost.
put_number::
  ld b, '0' - 1
.tens
    inc b
    sub 10
    jr nc, .tens
  ld [hl], b
  inc hl
  add '0' + 10
  ld [hl], a
  ret
