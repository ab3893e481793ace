; SPDX-License-Identifier: MIT
; The 80 rounds of a block.
;
; Where the 981 M-cycles of a round go: 519 additions, ch and maj; 225 rotated copies of
; e, 150 of a; 76 the scheduled word; 11 registers.
;
; What was weighed:
; - A pass of adc over the words for each of the six additions: loading and storing takes
;   7 to 9 M-cycles a byte and addition.  Walking down a column of bytes instead, A keeps
;   the sum, and a carry costs two (rl c).  Only the scheduled word is added in a pass:
;   its address would take two registers that the column needs.
; - Counting the carries of a column (jr nc over inc c) costs three each, and five more to
;   add the count in the next column.
; - e rotated right by 1 with rra and not by two more tables: 10 a byte against 11.
; - The other rotations with rra too: 7 a byte for each bit, where the tables take 11 for
;   both of e and all three of a.
; - The sums of rotated copies in fixed places of a plane, and the code eight times
;   instead of ten: 17 more a round, 1.4 KiB less.
INCLUDE "sha512/sha512.inc"
INCLUDE "sha512/rounds.inc"

DEF TURNS EQU ROUNDS / PLANE    ; of the ten rounds in the code

SECTION "sha512 rounds", ROM0

; How far the words are read, at the beginning of a round.
;; predicate at_round(r): sha512_left in 1..TURNS,
;;   DE == old DE + WORD * (PLANE * (TURNS - sha512_left) + r)

;; sha512_rounds – mix a block's scheduled words into the working words.
; in:       DE words hram sha512_v[8] sha512_v+10[8] sha512_v+20[8] sha512_v+30[8]
;           sha512_v+40[8] sha512_v+50[8] sha512_v+60[8] sha512_v+70[8]
; pointer:  DE -> words[WK_BYTES]   (80 words with k added)
; requires: DE % WORD == 0
; out:      sha512_v[80]
; clobbers: A BC DE HL F sha512_left
; stack:    2
; cycles:   78528 constant
; invariant: .round0: at_round(0)
; invariant: .round1: at_round(1)
; invariant: .round2: at_round(2)
; invariant: .round3: at_round(3)
; invariant: .round4: at_round(4)
; invariant: .round5: at_round(5)
; invariant: .round6: at_round(6)
; invariant: .round7: at_round(7)
; invariant: .round8: at_round(8)
; invariant: .round9: at_round(9)
; decreases: .round0: sha512_left
sha512_rounds::
  ld a, TURNS
  ldh [sha512_left], a
.turn
FOR R, PLANE
.round{d:R}
  ld h, HIGH(sha512_v)
  add_scheduled
.scheduled{d:R}
  push de
  sigma_e
  sigma_a
.columns{d:R}
  ld h, HIGH(sha512_v)
  ld c, 0               ; no carries
FOR I, WORD
  column
ENDR
  pop de
ENDR
.turned
  ldh a, [sha512_left]
  dec a
  ldh [sha512_left], a
  jp nz, .turn
.done
  ret
ASSERT LOW(sha512_v) >= $80 && HIGH(sha512_v) == $FF, "the working words must lie in HRAM"
