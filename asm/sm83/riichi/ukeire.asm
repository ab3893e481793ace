; SPDX-License-Identifier: MIT
; Which tiles bring a hand on.
INCLUDE "riichi/riichi.inc"

SECTION "riichi ukeire", ROM0

;; ukeire – the unseen tiles that lower the shanten of a hand of 3k+1 tiles.
; in:       hand[34] melded[34] melds unseen[34]
; requires: sound_hand, sound_unseen, at_most(13)
; out:      A, useful[34] shanten_normal shanten_chiitoi shanten_kokushi hram ukeire_missing   (A: their sum; ukeire_missing: shanten + 1, before the draw)
; clobbers: callees, hram ukeire_count ukeire_suit ukeire_kind
; stack:    26
; cycles:   7000..950000    (79,000 on average with 13 tiles; 446,520 the most seen)
; loops:    .suit 4..4, .kind 7..9
ukeire::
  call shanten
  inc a
  ldh [ukeire_missing], a
  xor a
  ldh [ukeire_count], a
  ldh [ukeire_kind], a
.suit
    ldh [ukeire_suit], a
    ; the other three suits together
    ld hl, others
    add a, a
    add l
    ld l, a
    ld a, [hl+]
    ld e, [hl]
    ld l, a
    ld h, HIGH(suits)
    ld d, h
    ld c, LOW(join_rest)
    call join
.kind
      ldh a, [ukeire_kind]
      ld l, a
      ld h, HIGH(unseen)
      ld a, [hl]
      and a
      jr z, .answer
        call helps
        ld a, 0
        jr nc, .answer
          ld h, HIGH(unseen)
          ldh a, [ukeire_kind]
          ld l, a
          ldh a, [ukeire_count]
          add [hl]
          ldh [ukeire_count], a
          ld a, [hl]
.answer
      ld b, a
      ld h, HIGH(useful)
      ldh a, [ukeire_kind]
      add LOW(useful)
      ld l, a
      ld [hl], b
      sub LOW(useful) - 1
      ldh [ukeire_kind], a
      cp KINDS
      jr z, .done
      cp NUMBERS
      jr z, .next_suit
      cp 2 * NUMBERS
      jr z, .next_suit
      cp 3 * NUMBERS
      jr nz, .kind
.next_suit
    ldh a, [ukeire_suit]
    call suit_costs       ; without the tile that was tried
    ldh a, [ukeire_suit]
    inc a
    jr .suit
.done
  ldh a, [ukeire_count]
  ret
ASSERT LOW(unseen) == 0, "a kind must be the low byte of its address in unseen"

; CF set: one more tile of ukeire_kind, of ukeire_suit, lowers the shanten.  It falls
; by one at most: a target that is further off than the nearest cannot do it.
helps:
  ldh a, [ukeire_kind]
  add LOW(hand)
  ld l, a
  ld h, HIGH(hand)
  inc [hl]
  push hl
  call fewer
  pop hl
  dec [hl]              ; the carry stays
  ret

; CF set: fewer tiles are missing now than ukeire_missing.
fewer:
  ldh a, [ukeire_missing]
  dec a
  ld b, a
  ld a, [shanten_normal]
  cp b
  jr nz, .chiitoi
    ldh a, [ukeire_suit]
    call suit_costs
.joined
    ldh a, [ukeire_suit]
    add a, a
    ld b, a
    add a, a
    add a, a
    add b
    add LOW(suits)      ; 10 * suit
    ld e, a
    ld d, HIGH(suits)
    ld hl, join_rest
    call join_wanted
    ld hl, ukeire_missing
    cp [hl]
    ret c
.chiitoi
  ldh a, [ukeire_missing]
  dec a
  ld b, a
  ld a, [shanten_chiitoi]
  cp b
  jr nz, .kokushi
    call chiitoi_shanten
    ld hl, ukeire_missing
    inc a
    cp [hl]
    ret c
.kokushi
  ldh a, [ukeire_missing]
  dec a
  ld b, a
  ld a, [shanten_kokushi]
  cp b
  jr nz, .none
    call kokushi_shanten
    ld hl, ukeire_missing
    inc a
    cp [hl]
    ret
.none
  and a
  ret

SECTION "riichi ukeire joins", ROM0, ALIGN[3]
; For each suit: two costs, which are the other three suits.
others:
  db LOW(suits + COSTS), LOW(join_23)
  db LOW(suits), LOW(join_23)
  db LOW(suits + 3 * COSTS), LOW(join_01)
  db LOW(suits + 2 * COSTS), LOW(join_01)
