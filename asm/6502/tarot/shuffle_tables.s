; SPDX-License-Identifier: MIT
; Tables of the fast shuffle.
.include "tarot.inc"
.include "shuffle.inc"
.include "tables.inc"

; product = b times f without carries (over GF(2)); b is a byte.
.macro carryless product, b, f
  product = (((b) & $01) * (f)) ^ (((b) & $02) * (f)) ^ (((b) & $04) * (f)) ^ (((b) & $08) * (f)) ^ (((b) & $10) * (f)) ^ (((b) & $20) * (f)) ^ (((b) & $40) * (f)) ^ (((b) & $80) * (f))
.endmacro

; mirrored = byte b with its bits in reverse order.
.macro mirror mirrored, b
  mirrored = (((b) & $01) << 7) | (((b) & $02) << 5) | (((b) & $04) << 3) | (((b) & $08) << 1) | (((b) & $10) >> 1) | (((b) & $20) >> 3) | (((b) & $40) >> 5) | (((b) & $80) >> 7)
.endmacro

; The stream holds the bytes of the generator with their bits reversed, so that
; the first flip of a byte is its most significant bit.  In that order eight
; steps multiply the outgoing byte by the mirrored feedback byte F: the low half
; of the product is the new high byte, the high half goes into the one below.
  mirror F, TAROT_FEEDBACK

; 1/F modulo x^8 is F^7, because F^8 is 1 there.
  carryless F_2, F, F
  carryless F_3, F_2 & $FF, F
  carryless F_6, F_3 & $FF, F_3 & $FF
  carryless F_7, F_6 & $FF, F
INVERSE = F_7 & $FF
  carryless UNITY, INVERSE, F
.assert (UNITY & $FF) = 1, error, "INVERSE times F must be 1 modulo x^8"

; What bit i of a stream byte does to the byte three later: undo the product
; to have the outgoing byte, take the high half of its product, and send that
; through the product in its turn.
.macro next_column column, i
  .local high, again
  carryless high, (INVERSE << i) & $FF, F
  carryless again, high >> 8, F
  column = again & $FF
.endmacro
  next_column NEXT_0, 0
  next_column NEXT_1, 1
  next_column NEXT_2, 2
  next_column NEXT_3, 3
  next_column NEXT_4, 4
  next_column NEXT_5, 5
  next_column NEXT_6, 6
  next_column NEXT_7, 7

; And the outgoing byte itself, with its bits back in the register's order.
.macro undo_column column, i
  mirror column, (INVERSE << i) & $FF
.endmacro
  undo_column UNDO_0, 0
  undo_column UNDO_1, 1
  undo_column UNDO_2, 2
  undo_column UNDO_3, 3
  undo_column UNDO_4, 4
  undo_column UNDO_5, 5
  undo_column UNDO_6, 6
  undo_column UNDO_7, 7

.segment "RODATA"
  .align 256            ; an index must never cross a page: that costs a cycle
; stream[i+4] = next_by_4[stream[i]] eor next_by_3[stream[i+1]]
next_by_4:
  linear_table F, F << 1, F << 2, F << 3, F << 4, F << 5, F << 6, F << 7
next_by_3:
  linear_table NEXT_0, NEXT_1, NEXT_2, NEXT_3, NEXT_4, NEXT_5, NEXT_6, NEXT_7
mirror_byte:
  linear_table $80, $40, $20, $10, $08, $04, $02, $01
outgoing:
  linear_table UNDO_0, UNDO_1, UNDO_2, UNDO_3, UNDO_4, UNDO_5, UNDO_6, UNDO_7
; By card index A = 0..77; a draw for card A has n = A+1 results.
limits:                 ; n
.repeat CARDS, card
  .byte card + 1
.endrepeat

; After the first overshoot of a draw from 2^k the kept value is uniform over
; v = 2^k - m values, m being what an overshoot takes away.  Every further flip
; doubles v, and a doubled v >= n is enough to decide; if it does not, v loses
; m.  So the outcomes "enough" (1) or "not yet" (0) are the binary digits of
; v/m: here the first eight.  (The printed reduction decides at v > m, so a v
; of just m waits one digit: hence the - TAROT_REDUCTION.)
; Card 0 is never drawn for.
.macro digits_of first, m
  .byte (((2 * (first) - (m)) * 256) - TAROT_REDUCTION) / (m)
.endmacro
digits:
  .byte 0
.repeat 7, k
  .repeat 1 << k, i
    .if (1 << k) + i < CARDS
      digits_of 1 << k, (1 << k) + i + 1 - TAROT_REDUCTION
    .endif
  .endrepeat
.endrepeat

; v just after the last digit 1 of those eight.
.macro range_after first, m, d
  .byte ((2 * (first) - (m)) * 256 - (m) * (d)) / (((d) & (0 - (d))) + ((d) = 0))
.endmacro
ranges:
  .byte 0
.repeat 7, k
  .repeat 1 << k, i
    .if (1 << k) + i < CARDS
      range_after 1 << k, (1 << k) + i + 1 - TAROT_REDUCTION, (((2 << k) - ((1 << k) + i + 1 - TAROT_REDUCTION)) * 256 - TAROT_REDUCTION) / ((1 << k) + i + 1 - TAROT_REDUCTION)
    .endif
  .endrepeat
.endrepeat
.assert <next_by_4 = 0 && <next_by_3 = 0 && <mirror_byte = 0 && <outgoing = 0, lderror, "the tables by byte must start pages"
.assert >limits = >*, lderror, "the tables by card must share a page"

bit_masks:              ; bit i of a byte
.repeat 8, i
  .byte 1 << i
.endrepeat
