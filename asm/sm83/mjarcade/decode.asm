; SPDX-License-Identifier: MIT
; Seeds out of text.
INCLUDE "mjarcade/mjarcade.inc"

DEF NOT_ALLOWED EQU $FF

SECTION "mjarcade values", ROM0, ALIGN[8]
; The value of each character.
values:
FOR V, 256
  IF V >= $30 && V <= $39         ; 0 to 9
    db V - $30
  ELIF V >= $61 && V <= $7A       ; a to z
    db V - $61 + 10
  ELIF V >= $41 && V <= $5A       ; A to Z
    db V - $41 + 36
  ELIF V == $2D                   ; -
    db 62
  ELIF V == $5F                   ; _
    db 63
  ELSE
    db NOT_ALLOWED
  ENDC
ENDR
ASSERT LOW(values) == 0, "the values must be a page"

SECTION "mjarcade decode", ROM0

;; mj_decode – the seeds of all players as words.
; in:       mj_players mj_seeds[108]
; requires: mj_players in 3..4
; out:      CF, mj_words[80]   (CF set: a character is not allowed; nothing else is then sure)
; clobbers: A BC DE HL ZF NF HF mj_at mj_from mj_bits
; stack:    2
; cycles:   46..5398       (three players at most 4053)
; loops:    .player 4, .group 7
; invariant: .group: mj_at in 1..4, mj_at <= mj_players, mj_from in 1..7,
;           HL == &mj_seeds + 27 * (mj_players - mj_at) + 4 * (7 - mj_from),
;           DE == &mj_words + MJ_BYTES * (mj_players - mj_at) + 3 * (7 - mj_from)
; decreases: .group: 1345 * mj_at + 196 * (mj_from - 1)   (the cycles of a player, and of a group)
mj_decode::
  ld a, [mj_players]
  ld [mj_at], a
  ld hl, mj_seeds
  ld de, mj_words
.player
    ; six times four characters make three bytes
    ld a, MJ_BYTES / 3 + 1
    ld [mj_from], a
.group
      call next_value
      ret c
      add a, a
      add a, a
      ld [mj_bits], a
      call next_value
      ret c
      swap a
      ld b, a
      and $0F
      call join
      ld a, b
      and $F0
      ld [mj_bits], a
      call next_value
      ret c
      rrca
      rrca
      ld b, a
      and $0F
      call join
      ld a, b
      and $C0
      ld [mj_bits], a
      ld a, [mj_from]
      dec a
      ld [mj_from], a
      jr z, .rest
      call next_value
      ret c
      call join
      jr .group
.rest
    ; three characters were left, 18 bits, of which 16 count
    ld a, [mj_at]
    dec a
    ld [mj_at], a
    jr nz, .player
  and a
  ret

; The value of the character at HL in A, and HL to the next; CF set: it has none.
next_value:
  ld b, HIGH(values)
  ld c, [hl]
  inc hl
  ld a, [bc]
  cp $40
  ccf
  ret

; The byte at DE = A and the bits before it, and DE to the next.
join:
  ld c, a
  ld a, [mj_bits]
  or c
  ld [de], a
  inc de
  ret
