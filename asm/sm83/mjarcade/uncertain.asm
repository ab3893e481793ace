; SPDX-License-Identifier: MIT
; The uncertain element: a number that every deal and every discard makes larger.
INCLUDE "mjarcade/mjarcade.inc"

SECTION "mjarcade uncertain", ROM0

;; mj_add_deal – what a deal adds to the uncertain element.
; in:       mj_uncertain[4]
; out:      mj_uncertain[4]
; ensures:  mj_uncertain == (old mj_uncertain + 1) % $100000000
; clobbers: HL ZF NF HF
; stack:    0
; cycles:   11..31
mj_add_deal::
  ld hl, mj_uncertain
  inc [hl]
  ret nz
  inc hl
  inc [hl]
  ret nz
  inc hl
  inc [hl]
  ret nz
  inc hl
  inc [hl]
  ret

;; mj_add_discard – what a discard adds: the player's how manieth of the round, times the tile.
; in:       A B mj_uncertain[4]   (A: the discard's number, B: the tile's value)
; requires: A >= 1, B in 1..9
; out:      mj_uncertain[4]
; ensures:  mj_uncertain == (old mj_uncertain + old A * old B) % $100000000
; clobbers: A BC DE HL F
; stack:    0
; cycles:   39..93
; loops:    .bit 1..4
mj_add_discard::
  ld e, a
  ld d, 0               ; DE: the number, shifted left
  ld hl, 0              ; HL: the product
.bit
    srl b
    jr nc, .next
      add hl, de
.next
    sla e
    rl d
    ld a, b
    and a
    jr nz, .bit
  ld d, h
  ld a, l
  ld hl, mj_uncertain
  add [hl]
  ld [hl+], a
  ld a, d
  adc [hl]
  ld [hl+], a
  ret nc
  inc [hl]
  ret nz
  inc hl
  inc [hl]
  ret

;; mj_tile_value – what a tile counts: the number of a suit tile, 1 to 7 of an honour.
; in:       A   (its kind: three suits of nine, winds, white, green, red)
; requires: A <= 33
; out:      A
; ensures:  A in 1..9
; clobbers: F
; stack:    0
; cycles:   11..24
mj_tile_value::
  cp MJ_HONOURS
  jr nc, .honour
.suit
    sub MJ_SUIT
    jr nc, .suit
  add MJ_SUIT + 1
  ret
.honour
  sub MJ_HONOURS - 1
  ret
