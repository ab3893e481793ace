; SPDX-License-Identifier: MIT
; Tables of the fast shuffle.
INCLUDE "tarot/tarot.inc"
INCLUDE "tarot/tables.inc"

; \1 = \2 times \3 without carries (over GF(2)); \2 is a byte.
MACRO carryless
  DEF \1 = 0
  FOR N, 8
    DEF \1 ^= ((\2) & (1 << N)) * (\3)
  ENDR
ENDM

; \1 = byte \2 with its bits in reverse order.
MACRO mirror
  DEF \1 = 0
  FOR N, 8
    DEF \1 |= ((\2) >> N & 1) << (7 - N)
  ENDR
ENDM

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
DEF INVERSE EQU F_7 & $FF
  carryless UNITY, INVERSE, F
STATIC_ASSERT (UNITY & $FF) == 1, "INVERSE times F must be 1 modulo x^8"

; What bit i of a stream byte does to the byte three later: undo the product
; to have the outgoing byte, take the high half of its product, and send that
; through the product in its turn.
FOR I, 8
  carryless PRODUCT, (INVERSE << I) & $FF, F
  carryless NEXT, PRODUCT >> 8, F
  DEF NEXT_{d:I} EQU NEXT & $FF
; And the outgoing byte itself, with its bits back in the register's order.
  mirror UNDO, (INVERSE << I) & $FF
  DEF UNDO_{d:I} EQU UNDO
ENDR

SECTION "tarot shuffle tables", ROM0, ALIGN[8]
; stream[i+4] = next_by_4[stream[i]] xor next_by_3[stream[i+1]]
next_by_4::
  linear_table F, F << 1, F << 2, F << 3, F << 4, F << 5, F << 6, F << 7
next_by_3::
  linear_table NEXT_0, NEXT_1, NEXT_2, NEXT_3, NEXT_4, NEXT_5, NEXT_6, NEXT_7
mirror_byte::
  linear_table $80, $40, $20, $10, $08, $04, $02, $01
outgoing::
  linear_table UNDO_0, UNDO_1, UNDO_2, UNDO_3, UNDO_4, UNDO_5, UNDO_6, UNDO_7
ASSERT LOW(next_by_4) == 0 && outgoing == next_by_4 + $300, "the tables must be four pages"
