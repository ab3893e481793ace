; SPDX-License-Identifier: MIT
; Text and numbers.  Letters and digits are the tiles at their ASCII codes.
INCLUDE "gameboy.inc"

SECTION "text", ROM0

; in: DE text that ends with 0, HL place; out: both behind it; A is lost
put_string::
    ld a, [de]
    inc de
    or a
    ret z
    ld [hl+], a
    jr put_string

; in: A which, DE list of texts, HL place; out: HL behind it; A C DE are lost
put_string_of_list::
  ld c, a
.find
  ld a, c
  or a
  jr z, put_string
.skip
    ld a, [de]
    inc de
    or a
    jr nz, .skip
  dec c
  jr .find

; in: A byte, HL place; out: HL behind it; A is lost
put_hexadecimal::
  push af
  swap a
  call put_digit
  pop af
; fall through

; in: A, of which the low half counts, HL place; out: HL behind it; A is lost
put_digit::
  and $0F
  add a, '0'
  cp '9' + 1
  jr c, .put
    add a, 'A' - '9' - 1
.put
  ld [hl+], a
  ret

; Put the digit of DE's place for \1, and take it off; B is 0 while all were 0.
MACRO decimal_digit
  ld c, '0' - 1
.subtract\@
    inc c
    ld a, e
    sub LOW(\1)
    ld e, a
    ld a, d
    sbc HIGH(\1)
    ld d, a
    jr nc, .subtract\@
  ld a, e
  add LOW(\1)
  ld e, a
  ld a, d
  adc HIGH(\1)
  ld d, a
  ld a, c
  sub '0'
  or b
  jr z, .leading\@
    ld b, a
    ld a, c
    ld [hl+], a
.leading\@
ENDM

; in: DE number, HL place; out: HL behind it; A BC DE are lost
put_decimal::
  ld b, 0
  decimal_digit 10000
  decimal_digit 1000
  decimal_digit 100
  decimal_digit 10
  ld a, e
  add a, '0'
  ld [hl+], a
  ret
