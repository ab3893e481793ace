; SPDX-License-Identifier: MIT
; The generator's key out of the players' words.
INCLUDE "mjarcade/mjarcade.inc"

SECTION "mjarcade key", ROM0

;; mj_make_key – sort the players, interleave their words, mix the uncertain element in.
; in:       mj_players mj_words[80] mj_uncertain[4]
; requires: mj_players in 3..4
; out:      mj_key[80] mj_words[80]   (mj_words in ascending order)
; clobbers: A BC DE HL F mj_at mj_from
; stack:    6
; cycles:   1108..4598   (in order, and of three; all out of order, and the last bytes decide)
; loops:    .pass 4, .pair 3, .word 5..5, .player 4
; invariant: .pair: mj_at in 1..3, mj_at < mj_players, mj_from in 1..3, mj_from <= mj_at,
;           HL == &mj_words + MJ_BYTES * (mj_at - mj_from)
; invariant: .player: C in 1..4, C <= mj_players, H == &mj_words >> 8,
;           mj_from - (&mj_words & $FF) in 3..19, (mj_from - (&mj_words & $FF)) % 4 == 3,
;           L == mj_from + MJ_BYTES * (mj_players - C),
;           DE == &mj_key + mj_players * (mj_from - (&mj_words & $FF) - 3) + 4 * (mj_players - C)
; decreases: .pair: mj_at * (mj_at - 1) + 2 * mj_from
; decreases: .player: mj_players * (19 + (&mj_words & $FF) - mj_from) + 4 * C
mj_make_key::
  ; sort: neighbours are exchanged that are out of order, so that the greatest of the players
  ; comes last; then of all but the last one, and so on
  ld a, [mj_players]
.pass
  dec a                 ; pairs of neighbours
  jr z, .sorted
  ld [mj_at], a
  ld [mj_from], a
  ld hl, mj_words
.pair
    call mj_order
    ld a, [mj_from]
    dec a
    ld [mj_from], a
    jr nz, .pair
  ld a, [mj_at]
  jr .pass
.sorted
  ; interleave: the first words of all players, the second words of all, ...
  ld de, mj_key
  ld a, LOW(mj_words) + 3
.word
    ld [mj_from], a
    ld l, a
    ld h, HIGH(mj_words)
    ld a, [mj_players]
    ld c, a
.player
      FOR I, 4
        ld a, [mj_uncertain + I]
        xor [hl]
        dec l
        ld [de], a
        inc de
      ENDR
      ld a, l
      add MJ_BYTES + 4
      ld l, a
      dec c
      jr nz, .player
    ld a, [mj_from]
    add 4
    cp LOW(mj_words) + 3 + MJ_BYTES
    jr nz, .word
  ret
ASSERT HIGH(mj_words) == HIGH(mj_words + MJ_PLAYERS * MJ_BYTES + 4), "the words must lie in one page"

;; mj_order – exchange the player at HL and the next one, if the first has more.
; in:       HL mj_words[80]
; requires: HL in &mj_words..&mj_words + MJ_BYTES * 2, (HL - &mj_words) % MJ_BYTES == 0
; out:      HL mj_words[80]
; ensures:  HL == old HL + MJ_BYTES   (the next one)
; clobbers: A BC DE F
; stack:    4
; cycles:   36..544   (in order by the first bytes; out of order by the last ones)
; loops:    .byte 20
; invariant: .byte: B in 1..MJ_BYTES, HL == old HL + MJ_BYTES - B, DE == HL + MJ_BYTES
; decreases: .byte: B
mj_order::
  ld a, l
  add MJ_BYTES
  ld e, a
  ld d, h
  push hl
  push de
  ld b, MJ_BYTES        ; compare, highest bytes first
.byte
    ld a, [de]
    cp [hl]
    jr nz, .decided
    inc l
    inc e
    dec b
    jr nz, .byte
.decided
  pop de
  pop hl
  jr c, .exchange
  ld h, d
  ld l, e
  ret
.exchange
  ld b, MJ_BYTES
.both
    ld a, [de]
    ld c, [hl]
    ld [hl+], a
    ld a, c
    ld [de], a
    inc e
    dec b
    jr nz, .both
  ret
