; SPDX-License-Identifier: MIT
; How many tiles a hand is from being one tile from complete.
INCLUDE "riichi/riichi.inc"

SECTION "riichi shanten", ROM0

;; normal_shanten – for melds and a pair.
; in:       hand[34] melded[34] melds
; requires: sound_hand
; out:      A, suits[40] join_01[10] join_23[10]   (A signed: $FF is complete)
; clobbers: callees except join_rest[10]
; stack:    22
; cycles:   2600..60000     (14 tiles at most; 2648 and 38200 seen, the most is a sum of single suits' worst)
; loops:    .suit 4..4
normal_shanten::
  ld a, SUITS - 1
.suit
    push af
    call suit_costs
    pop af
    sub 1
    jr nc, .suit
.pairs
  ld hl, suits
  ld de, suits + COSTS
  ld c, LOW(join_01)
  call join
.second
  ld hl, suits + 2 * COSTS
  ld de, suits + 3 * COSTS
  ld c, LOW(join_23)
  call join
.wanted
  ld hl, join_01
  ld de, join_23
  call join_wanted
  dec a
  ret

;; chiitoi_shanten – for seven different pairs.
; in:       hand[34]
; requires: closed_tiles
; out:      A   (signed: $FF is complete)
; clobbers: BC HL F
; stack:    0
; cycles:   426..482        (none to 14 tiles)
; loops:    .kind 34..34
chiitoi_shanten::
  ld bc, 0              ; B: kinds held twice or more, C: kinds held
  ld hl, hand
.kind
    ld a, [hl+]
    and a
    jr z, .counted
      inc c
      dec a
      jr z, .counted
        inc b
.counted
    ld a, l
    cp LOW(hand + KINDS)
    jr nz, .kind
.missing
  ld a, 7
  sub c
  jr nc, .kinds_missing
    xor a
.kinds_missing
  sub b
  add 6
  ret

; The tiles of a kind at HL; \1 = 1: HL goes to the next kind.
MACRO orphan
  IF (\1) == 1
    ld a, [hl+]
  ELSE
    ld a, [hl]
  ENDC
  cp 1
  jr c, .none\@
    dec c
    cp 2
    jr c, .none\@
      ld b, 1
.none\@
ENDM

;; kokushi_shanten – for the thirteen orphans, one of them twice.
; in:       hand[34]
; requires: closed_tiles
; out:      A   (signed: $FF is complete)
; clobbers: BC HL F
; stack:    0
; cycles:   115..181        (14 tiles at most)
kokushi_shanten::
  ld bc, 13             ; B: 1 with a pair, C: kinds missing
  ld hl, hand
  REPT 3
    orphan 0            ; 1
    ld a, l
    add NUMBERS - 1
    ld l, a
    orphan 1            ; 9
  ENDR
  REPT HONOURS
    orphan 1
  ENDR
  ld a, c
  sub b
  ret

;; shanten – the least of the three.
; in:       hand[34] melded[34] melds
; requires: sound_hand
; out:      A, shanten_normal shanten_chiitoi shanten_kokushi suits[40] join_01[10] join_23[10]   (signed: $FF is complete; $7F: not for a hand with melds)
; clobbers: callees
; stack:    24
; cycles:   2600..61000     (as normal_shanten; 6400 on average with 14 tiles)
shanten::
  call normal_shanten
  ld [shanten_normal], a
  ld a, [melds]
  and a
  jr nz, .melds
.closed
  call chiitoi_shanten
  ld [shanten_chiitoi], a
.orphans
  call kokushi_shanten
  ld [shanten_kokushi], a
  ; compared one higher, where none is negative
  inc a
  ld b, a
  ld a, [shanten_chiitoi]
  inc a
  cp b
  jr nc, .kokushi
    ld b, a
.kokushi
  ld a, [shanten_normal]
  inc a
  cp b
  jr c, .normal
    ld a, b
.normal
  dec a
  ret
.melds
  ld a, NO_SHANTEN
  ld [shanten_chiitoi], a
  ld [shanten_kokushi], a
  ld a, [shanten_normal]
  ret

;; complete – whether a hand of 3k+2 tiles is complete.
; in:       hand[34] melded[34] melds
; requires: sound_hand
; out:      A, shanten_normal shanten_chiitoi shanten_kokushi suits[40] join_01[10] join_23[10]   (1: complete, 0: not)
; ensures:  A <= 1
; clobbers: as shanten
; stack:    26
; cycles:   2600..61000     (as normal_shanten)
complete::
  call shanten
  inc a
  ld a, 0
  ret nz
  inc a
  ret
