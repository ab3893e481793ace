; SPDX-License-Identifier: MIT
; The 80 rounds of a block.
;
; Where the M-cycles of a round (about 1,000) go: 540 the additions with ch and maj,
; 225 and 150 the rotated copies of e and a, 75 the word that is added.
INCLUDE "sha512/sha512.inc"
INCLUDE "sha512/rounds.inc"

SECTION "sha512 rounds", ROM0

;; sha512_rounds – mix a block's scheduled words into the working words.
; in:       DE hram sha512_v[80]   (DE address of 80 words with k added, 640 bytes, a multiple of 8)
; out:      sha512_v[80]
; clobbers: A BC DE HL F sha512_left
; stack:    2
; cycles:   1..
sha512_rounds::
  ld a, ROUNDS / PLANE
  ldh [sha512_left], a
.turn
FOR R, PLANE
  ld h, HIGH(sha512_v)
  add_scheduled
  push de
  sigma_e
  sigma_a
  ld h, HIGH(sha512_v)
  ld c, 0               ; no carries
FOR I, WORD
  column
ENDR
  pop de
ENDR
  ldh a, [sha512_left]
  dec a
  ldh [sha512_left], a
  jp nz, .turn
  ret
ASSERT LOW(sha512_v) >= $80 && HIGH(sha512_v) == $FF, "the working words must lie in HRAM"
