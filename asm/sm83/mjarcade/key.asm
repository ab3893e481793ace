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
; cycles:   1031..6467
; loops:    .again 4, .pair 2..3, .word 5..5, .player 3..4
mj_make_key::
  ; sort: neighbours are exchanged until none are out of order
.again
  xor a
  ld [mj_at], a         ; set when something was exchanged
  ld a, [mj_players]
  dec a
  ld [mj_from], a
  ld hl, mj_words
.pair
    ld a, l
    add MJ_BYTES
    ld e, a
    ld d, h
    call compare
    jr nc, .in_order
      call exchange
      ld a, 1
      ld [mj_at], a
.in_order
    ld h, d
    ld l, e
    ld a, [mj_from]
    dec a
    ld [mj_from], a
    jr nz, .pair
  ld a, [mj_at]
  and a
  jr nz, .again
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

; CF set: the player at HL has more than the one at DE, highest bytes first.
compare:
  push hl
  push de
  ld b, MJ_BYTES
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
  ret

; Exchange the players at HL and DE.
exchange:
  push de
  ld b, MJ_BYTES
.byte
    ld a, [de]
    ld c, [hl]
    ld [hl+], a
    ld a, c
    ld [de], a
    inc e
    dec b
    jr nz, .byte
  pop de
  ret
