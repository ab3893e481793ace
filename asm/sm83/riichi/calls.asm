; SPDX-License-Identifier: MIT
; What may be called.
INCLUDE "riichi/riichi.inc"

SECTION "riichi calls", ROM0

;; call_options – what a hand of 3k+1 tiles can do with a discard of kind A.
; in:       A B hand[34] melded[34] melds   (A: the kind; B 1: from the left, 0: not)
; requires: A < KINDS, B <= 1, sound_hand, at_most(13), hand[A] + melded[A] <= 3
; out:      A   (bits: 0 pon, 1 kan, 2 chii with the discard lowest, 3 middle, 4 highest, 5 it completes the hand)
; ensures:  A < 64
; clobbers: as complete
; stack:    32
; cycles:   2700..61500     (as complete)
call_options::
  ld c, a
  add LOW(hand)
  ld l, a
  ld h, HIGH(hand)
  ld d, 0               ; the options
  ld a, [hl]
  cp 2
  jr c, .no_pon
    set CALL_PON, d
    cp 3
    jr c, .no_pon
      set CALL_KAN, d
.no_pon
  ld a, b
  and a
  jr z, .no_chii
  ld a, c
  cp HONOUR_KIND
  jr nc, .no_chii
.number
    sub NUMBERS
    jr nc, .number
  add NUMBERS           ; the number, less one
  ld e, a
  cp 7                  ; 1 to 7: the lowest of three
  jr nc, .not_low
    inc l
    ld a, [hl+]
    and a
    jr z, .low_known
    ld a, [hl]
    and a
    jr z, .low_known
      set CALL_LOW, d
.low_known
    dec l
    dec l
.not_low
  ld a, e
  dec a
  cp 7                  ; 2 to 8: the middle
  jr nc, .not_middle
    dec l
    ld a, [hl+]
    inc l
    and a
    jr z, .middle_known
    ld a, [hl]
    and a
    jr z, .middle_known
      set CALL_MIDDLE, d
.middle_known
    dec l
.not_middle
  ld a, e
  cp 2                  ; 3 to 9: the highest
  jr c, .no_chii
    dec l
    ld a, [hl-]
    and a
    jr z, .high_known
    ld a, [hl]
    and a
    jr z, .high_known
      set CALL_HIGH, d
.high_known
    inc l
    inc l
.no_chii
  inc [hl]
  push hl
  push de
  call complete
  pop de
  pop hl
  dec [hl]
  and a
  jr z, .not_complete
    set CALL_WIN, d
.not_complete
  ld a, d
  ret

;; own_kans – the kans that a hand can declare on its own turn.
; in:       hand[34] pons[34]   (pons: 1 where a pon of the kind lies, else 0)
; requires: closed_tiles, all j in 0..33: pons[j] <= 1
; out:      kans[34]   (1: closed, 2: added to the pon, 0: none)
; ensures:  all j in 0..33: kans[j] <= 2
; clobbers: A BC DE HL F
; stack:    0
; cycles:   621..873        (none to 14 tiles)
; loops:    .kind 34..34
own_kans::
  ld de, hand
  ld hl, kans
.kind
    ld b, 0
    ld a, [de]
    inc e
    and a
    jr z, .none
    cp COPIES
    jr z, .closed
    ld a, l
    add pons - kans
    ld l, a
    ld a, [hl]
    add a, a            ; ADDED_KAN with a pon
    ld b, a
    ld a, l
    sub pons - kans
    ld l, a
    jr .none
.closed
    ld b, CLOSED_KAN
.none
    ld a, b
    ld [hl+], a
    ld a, l
    cp LOW(kans + KINDS)
    jr nz, .kind
  ret
STATIC_ASSERT ADDED_KAN == 2
