; SPDX-License-Identifier: MIT
; What to discard.
INCLUDE "riichi/riichi.inc"

SECTION "riichi discard", ROM0

;; best_discard – shanten and useful tiles after every discard of a hand of 3k+2 tiles, and the best.
; in:       hand[34] melded[34] melds unseen[34]
; requires: sound_hand, sound_unseen, sum j in 0..33: hand[j] >= 1
; out:      A, discard_shanten[34] discard_ukeire[34] best[34]   (A: the lowest shanten; by kind: shanten signed, $80: not held; 1: ties as best)
; ensures:  all j in 0..33: best[j] <= 1
; clobbers: as ukeire, hram discard_kind discard_lowest
; stack:    30
; cycles:   10000..13500000 (estimated from ukeire's bounds; 653,000 on average; 3.6 million the most seen)
; loops:    .kind 34..34
best_discard::
  xor a
  ldh [discard_kind], a
  ld a, $FF
  ldh [discard_lowest], a
.kind
    ldh a, [discard_kind]
    ld c, a
    add LOW(hand)
    ld l, a
    ld h, HIGH(hand)
    ld a, [hl]
    and a
    ld de, NOT_HELD << 8  ; shanten, tiles
    jr z, .answer
      ; the tile is given away and stays seen: unseen is as it was
      dec [hl]
      push hl
      call ukeire
      pop hl
      inc [hl]
      ld e, a
      ldh a, [discard_kind]
      ld c, a
      ldh a, [discard_lowest]
      ld b, a
      ldh a, [ukeire_missing]
      cp b
      jr nc, .not_lower
        ldh [discard_lowest], a
.not_lower
      dec a
      ld d, a
.answer
    ld h, HIGH(best)
    ld a, c
    add LOW(discard_shanten)
    ld l, a
    ld [hl], d
    add discard_ukeire - discard_shanten
    ld l, a
    ld [hl], e
    inc c
    ld a, c
    ldh [discard_kind], a
    cp KINDS
    jr nz, .kind
  ; the most tiles after a discard with the lowest shanten
  ldh a, [discard_lowest]
  dec a
  ld c, a
  ld b, 0
  ld d, HIGH(best)
  ld h, d
  ld e, LOW(discard_shanten)
  ld l, LOW(discard_ukeire)
.most
    ld a, [de]
    cp c
    jr nz, .not_lowest
      ld a, [hl]
      cp b
      jr c, .not_lowest
        ld b, a
.not_lowest
    inc e
    inc l
    ld a, l
    cp LOW(discard_ukeire + KINDS)
    jr nz, .most
  ; L is at best
  ld e, LOW(discard_shanten)
.mark
    ld [hl], 0
    ld a, [de]
    cp c
    jr nz, .no_tie
      push de
      ld a, e
      add discard_ukeire - discard_shanten
      ld e, a
      ld a, [de]
      pop de
      cp b
      jr nz, .no_tie
        inc [hl]
.no_tie
    inc e
    inc l
    ld a, l
    cp LOW(best + KINDS)
    jr nz, .mark
  ld a, c
  ret
ASSERT best == discard_ukeire + KINDS, "HL goes from one to the other"
