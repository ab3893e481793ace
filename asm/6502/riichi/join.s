; SPDX-License-Identifier: MIT
; The costs of suits together.
.include "riichi/riichi.inc"

.segment "CODE"

; The sum of two entries into join_least when it is less, or when it is the first.
.macro sum one, other, first
  lda joined + (one)
  clc
  adc suits + (other),x
  .if first = 0
    cmp join_least
    bcs :+
  .endif
  sta join_least
  .if first = 0
:
  .endif
.endmacro

; The least of all sums for so many melds and a pair in A, and back.
.macro wanted count
  .repeat (count) + 1, m
    sum WITH_PAIR + m, (count) - m, (m = 0)
    sum m, WITH_PAIR + (count) - m, 0
  .endrepeat
  lda join_least
  rts
.endmacro

;; join – join the costs of a further suit to those of some suits.
; in:       X zp joined[10] suits[40]   (X: place of the suit's costs)
; requires: place_of_costs(X)
; out:      joined[10]
; clobbers: A N V Z C join_least
; stack:    0
; cycles:   693..763
.proc join
  ; An entry needs entries of no more melds, and of no more pairs: the greatest
  ; are replaced first.
  .repeat ::MELDS + 1, i
    .repeat ::MELDS + 1 - i, m
      sum WITH_PAIR + m, MELDS - i - m, (m = 0)
      sum m, WITH_PAIR + MELDS - i - m, 0
    .endrepeat
    lda join_least
    sta joined + WITH_PAIR + MELDS - i
  .endrepeat
  .repeat ::MELDS, i
    .repeat ::MELDS + 1 - i, m
      sum m, MELDS - i - m, (m = 0)
    .endrepeat
    lda join_least
    sta joined + MELDS - i
  .endrepeat
  rts                   ; nothing of all suits misses nothing: joined[0] stays 0
.endproc

;; join_wanted – missing tiles of the whole hand: the last suit, the one entry that is wanted.
; in:       X zp joined[10] suits[40] melds   (X: place of the suit's costs)
; requires: place_of_costs(X), melds <= MELDS
; out:      A   (0: complete)
; clobbers: Y N V Z C join_least
; stack:    0
; cycles:   59..180     (58 where no branch crosses a page)
.proc join_wanted
  ldy melds
  bne @called
  wanted 4
@called:
  dey
  bne @more
  wanted 3
@more:
  dey
  bne @most
  wanted 2
@most:
  dey
  bne @all
  wanted 1
@all:
  wanted 0
.endproc
