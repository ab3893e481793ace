; SPDX-License-Identifier: MIT
; What is to be seen: seed, first card, and the whole deck, six cards in a row.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"

DEF CARDS_IN_ROW EQU 6
DEF FIRST_MINOR  EQU 22
DEF RANKS        EQU 14


SECTION "screen", ROM0

; Put the text \3 into row \1 from column \2 on.
MACRO put_text
  ld hl, MAP + MAP_COLUMNS * (\1) + (\2)
  ld de, .text\@
  call put_string
  jr .done\@
.text\@
  db \3, 0
.done\@
ENDM

; Copy \2 bytes from \1 to \3.
MACRO copy
  ld de, \1
  ld bc, \2
  ld hl, \3
  call copy_bytes
ENDM

; Once: the tiles, and what never changes.
screen_init::
  call screen_off
  copy plain_digits, plain_digits.end - plain_digits, TILES + TILE_SIZE * '0'
  copy letters, letters.end - letters, TILES + TILE_SIZE * 'A'
  copy card_tens, card_tens.end - card_tens, TILES + TILE_SIZE * TENS
  copy card_ones, card_ones.end - card_ones, TILES + TILE_SIZE * ONES
  copy dark_tens, dark_tens.end - dark_tens, TILES + TILE_SIZE * DARK_TENS
  copy dark_ones, dark_ones.end - dark_ones, TILES + TILE_SIZE * DARK_ONES
  copy emblems, emblems.end - emblems, TILES + TILE_SIZE * EMBLEMS
  ld hl, TILES + TILE_SIZE * ' '
  ld b, TILE_SIZE
  xor a
.blank
    ld [hl+], a
    dec b
    jr nz, .blank
  ldh [IO_SCX], a
  ldh [IO_SCY], a
  ld a, %11_10_01_00      ; colour 0 is white, 3 is black
  ldh [IO_BGP], a
  ret

; The deck in order, before the first press.
show_start::
  call screen_clear
  put_text 0, 0, "TAROT"
  put_text 2, 0, "THE CARDS IN ORDER"
  jr show_cards

; Seed, first card and deck.
show_deck::
  call screen_clear
  put_text 0, 0, "TAROT  SEED"
  inc hl
  ld de, seed
  ld b, 4
.seed
    ld a, [de]
    inc de
    call put_hexadecimal
    dec b
    jr nz, .seed
  put_text 1, 0, "FIRST CARD"
  inc hl
  ld a, [deck + 0]
  call put_card
  ld a, [deck + 0]
  ld hl, MAP + MAP_COLUMNS * 2
  call put_name
; fall through

show_cards:
  put_text 17, 3, "PRESS A BUTTON"
  ld hl, MAP + MAP_COLUMNS * 4 + 1
  ld de, deck
  ld b, CARDS_IN_ROW
.card
    ld a, [de]
    call put_card
    inc e
    ld a, e
    cp CARDS
    jr z, .all
    dec b
    jr nz, .card
    ld b, CARDS_IN_ROW
    ld a, l
    add a, MAP_COLUMNS - 3 * CARDS_IN_ROW
    ld l, a
    jr nc, .card
    inc h
    jr .card
.all
  ld a, LCDC_ON
  ldh [IO_LCDC], a
  ret
ASSERT LOW(deck) == 0, "a card's place must be the low byte of its address"

; Switch the screen off, when no line is being drawn: else it may be damaged.
screen_off:
  ldh a, [IO_LCDC]
  add a, a
  ret nc                  ; it is off
.drawing
    ldh a, [IO_LY]
    cp 144
    jr nz, .drawing
  ld a, LCDC_OFF
  ldh [IO_LCDC], a
  ret

; Switch the screen off and fill the map with blanks.
screen_clear:
  call screen_off
  ld hl, MAP
  ld bc, MAP_SIZE
.blank
    ld a, ' '
    ld [hl+], a
    dec bc
    ld a, b
    or c
    jr nz, .blank
  ret

; in: DE from, HL to, BC how many bytes
copy_bytes:
    ld a, [de]
    inc de
    ld [hl+], a
    dec bc
    ld a, b
    or c
    jr nz, copy_bytes
  ret

; in: DE text, HL place; out: both behind it
put_string:
    ld a, [de]
    inc de
    or a
    ret z
    ld [hl+], a
    jr put_string

; in: A byte, HL place; out: HL behind it
put_hexadecimal:
  push af
  swap a
  call .digit
  pop af
.digit
  and $0F
  add a, '0'
  cp '9' + 1
  jr c, .put
    add a, 'A' - '9' - 1
.put
  ld [hl+], a
  ret

; The three tiles of a card.
; in: A card, HL place; out: HL behind it; B and DE are kept
put_card:
  push bc
  push de
  ld e, EMBLEMS           ; the card's emblem
  ld bc, DARK_TENS << 8 | DARK_ONES
  ld d, a
  sub FIRST_MINOR
  jr c, .ground
    ld bc, TENS << 8 | ONES
.suit
      inc e
      sub RANKS
      jr nc, .suit
.ground
  ld a, d
.tens
    sub 10
    jr c, .ones
    inc b
    jr .tens
.ones
  add a, 10
  add a, c
  ld [hl], b
  inc hl
  ld [hl+], a
  ld [hl], e
  inc hl
  pop de
  pop bc
  ret

; in: A card, HL place
put_name:
  sub FIRST_MINOR
  jr nc, .minor
    add a, FIRST_MINOR
    ld de, major_names
    jr put_string_of_list
.minor
  ld b, -1
.suit
    inc b
    sub RANKS
    jr nc, .suit
  add a, RANKS
  ld de, rank_names
  call put_string_of_list
  ld de, .of
  call put_string
  ld a, b
  ld de, suit_names
  jr put_string_of_list
.of
  db " OF ", 0

; in: A which, DE list of texts, HL place; out: HL behind it; B is kept
put_string_of_list:
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
