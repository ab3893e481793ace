; SPDX-License-Identifier: MIT
; Cards as tiles and as names.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"
INCLUDE "tarot_names.inc"
INCLUDE "tarot_rom.inc"

SECTION "cells", WRAM0, ALIGN[6]
cells::   ds CARD_TILES ; the tiles of a card, line by line
palette:: ds 1          ; theirs

SECTION "cards", ROM0

;; card_rank – a card's suit, and its rank as two tiles.
; in:       A
; requires: A < CARDS
; out:      B C D   (the tiles; 0 major arcana, 1 wands, 2 cups, 3 swords, 4 pentacles)
; ensures:  D <= 4
; clobbers: A HL F
; stack:    0
card_rank::
  ld d, 0
  cp FIRST_MINOR
  jr c, .number           ; of the major arcana
  sub FIRST_MINOR
.suit
    inc d
    sub RANKS
    jr nc, .suit
  add RANKS + 1           ; 1 to 14
  cp 1
  jr z, .letters
  cp 11
  jr nc, .letters
.number                   ; 0 to 21
  ld c, TILE_PAPER
  ld b, DIGITS
  cp 10
  jr c, .ones
    inc b
    sub 10
    cp 10
    jr c, .two
      inc b
      sub 10
.two
    add DIGITS
    ld c, a
    ret
.ones
  add b
  ld b, a
  ret
.letters
  ld hl, .courts
  cp 1
  jr z, .ace
    sub 10                ; 1 to 4
    add a, a
    add l
    ld l, a
    adc h
    sub l
    ld h, a
.ace
  ld a, [hl+]
  ld b, a
  ld c, [hl]
  ret
.courts
  db TILE_RANK_A, TILE_PAPER
  db TILE_RANK_P, TILE_RANK_G
  db TILE_RANK_K, TILE_RANK_N
  db TILE_RANK_Q, TILE_RANK_U
  db TILE_RANK_K, TILE_RANK_I

;; compose_card – the picture of the card at a place, as it lies.
; in:       A wram deck[78] orientation[78]
; requires: A < CARDS, deck[A] < CARDS
; out:      cells[48] palette
; clobbers: A BC DE HL F
; stack:    6
compose_card::
  ld l, a
  push hl
  ld h, HIGH(deck)
  ld a, [hl]
  call card_rank
  ld hl, .face
  call compose
  ld hl, cells + CARD_COLUMNS + 1
  ld [hl], b
  inc l
  ld [hl], c
  ld a, d
  add TILE_SMALL_MAJOR
  ld l, LOW(cells) + CARD_COLUMNS + 4
  ld [hl], a
  ld a, d
  add PALETTE_SUITS
  ld [palette], a
  ld a, d
  add a, a
  add a, a
  add TILE_EMBLEM_MAJOR
  ld l, LOW(cells) + 3 * CARD_COLUMNS + 2
  ld [hl+], a
  inc a
  ld [hl], a
  inc a
  ld l, LOW(cells) + 4 * CARD_COLUMNS + 2
  ld [hl+], a
  inc a
  ld [hl], a
  pop hl
  ld h, HIGH(orientation)
  ld a, [hl]
  or a
  ret z
  ; Half a turn: from both ends, each tile into the other's place.
  ld hl, cells
  ld de, cells + CARD_TILES - 1
.turn
    ld a, [de]
    xor TURNED
    ld b, a
    ld a, [hl]
    xor TURNED
    ld [de], a
    ld [hl], b
    inc l
    dec e
    ld a, l
    cp LOW(cells) + CARD_TILES / 2
    jr nz, .turn
  ret

.face
  db TILE_FRAME_TOP_LEFT, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP_RIGHT
REPT CARD_ROWS - 2
  db TILE_FRAME_LEFT, TILE_PAPER, TILE_PAPER, TILE_PAPER, TILE_PAPER, TILE_FRAME_RIGHT
ENDR
  db TILE_FRAME_BOTTOM_LEFT, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM_RIGHT

;; compose_back – the picture of a card that lies face down.
; in:       none
; out:      wram cells[48] palette
; clobbers: A E HL F
; stack:    2
compose_back::
  ld a, PALETTE_BACK
  ld [palette], a
  ld hl, .back
  jr compose
.back
  db TILE_FRAME_TOP_LEFT, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP_RIGHT
REPT CARD_ROWS - 2
  db TILE_FRAME_LEFT, TILE_BACK, TILE_BACK, TILE_BACK, TILE_BACK, TILE_FRAME_RIGHT
ENDR
  db TILE_FRAME_BOTTOM_LEFT, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM_RIGHT

;; compose_edge – the picture of a card while it turns.
; in:       none
; out:      wram cells[48] palette
; clobbers: A E HL F
; stack:    2
compose_edge::
  ld a, PALETTE_BACK
  ld [palette], a
  ld hl, .edge
  jr compose
.edge
  db "  ", TILE_EDGE_TOP, TILE_EDGE_TOP + 1, "  "
REPT CARD_ROWS - 2
  db "  ", TILE_EDGE_SIDE, TILE_EDGE_SIDE + 1, "  "
ENDR
  db "  ", TILE_EDGE_BOTTOM, TILE_EDGE_BOTTOM + 1, "  "

; Copy a picture from HL into cells.  A E HL are lost; B C D are kept.
compose:
  push bc
  ld b, d
  ld de, cells
  ld c, CARD_TILES
.cell
    ld a, [hl+]
    ld [de], a
    inc e
    dec c
    jr nz, .cell
  ld d, b
  pop bc
  ret
ASSERT HIGH(cells) == HIGH(cells + CARD_TILES), "the picture must lie in one page"

; Put the picture to HL in the map, when no line is being drawn: 640 M-cycles.
; All registers are lost.
show_cells::
  call wait_for_vblank
  push hl
  ld de, cells
  ld b, CARD_ROWS
.line
REPT CARD_COLUMNS
    ld a, [de]
    inc e
    ld [hl+], a
ENDR
    ld a, l
    add MAP_COLUMNS - CARD_COLUMNS
    ld l, a
    adc h
    sub l
    ld h, a
    dec b
    jr nz, .line
  pop hl
  ld a, [palette]
  ld b, CARD_COLUMNS
  ld d, CARD_ROWS
  jp colour_box

; Put the card at place A, as three tiles, to HL in the map; the screen is off.
; out: HL behind it; A, B, C, D and E are lost
put_small::
  ld e, a
  push hl
  ld h, HIGH(deck)
  ld l, a
  ld a, [hl]
  call card_rank
  ld h, HIGH(orientation)
  ld l, e
  ld a, [hl]
  or a
  ld a, d
  pop hl
  push hl
  jr nz, .reversed
    ld [hl], b
    inc hl
    ld [hl], c
    inc hl
    add TILE_SMALL_MAJOR
    ld [hl], a
    jr .colour
.reversed
    add TILE_SMALL_MAJOR + TURNED
    ld [hl+], a
    ld a, c
    xor TURNED
    ld [hl+], a
    ld a, b
    xor TURNED
    ld [hl], a
.colour
  pop hl
  ld a, d
  add PALETTE_SUITS
  push hl
  ld b, 3
  ld d, 1
  call colour_box
  pop hl
  inc hl
  inc hl
  inc hl
  ret

; in: A card, HL place; out: HL behind its name; all other registers are lost
put_name::
  sub FIRST_MINOR
  jr nc, .minor
    add a, FIRST_MINOR
    ld de, major_names
    jp put_string_of_list
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
  jp put_string_of_list
.of
  db " OF ", 0

; Put UPRIGHT or REVERSED, for the card at place A, to HL.
; out: HL behind it; A and DE are lost
put_orientation::
  ld d, HIGH(orientation)
  ld e, a
  ld a, [de]
  or a
  ld de, .upright
  jp z, put_string
  ld de, .reversed
  jp put_string
.upright
  db "UPRIGHT", 0
.reversed
  db "REVERSED", 0
