; SPDX-License-Identifier: MIT
; Bytes shifted: what one byte of a long word gives to a byte of the word shifted or
; rotated.  A name lists the shifts whose results are added (exclusive or).
;
; Every table is a page, so that a byte in L finds its entry.  Tables that are read one
; after another stand one after another: the next one is an inc h away.

MACRO table ; an expression of the byte V
  FOR V, 256
    db LOW(\1)
  ENDR
ENDM

SECTION "bits shifts", ROM0, ALIGN[8]
; the big sigma of e in SHA-512
shr6::           table V >> 6
shr2_shl2::      table (V >> 2) ^ (V << 2)
shl6::           table V << 6
; the big sigma of a
shr4::           table V >> 4
shl4_shr2_shr7:: table (V << 4) ^ (V >> 2) ^ (V >> 7)
shl6_shl1::      table (V << 6) ^ (V << 1)
; the small sigma of the next word
shr1_shr7::      table (V >> 1) ^ (V >> 7)
shl7_shl0_shl1:: table (V << 7) ^ V ^ (V << 1)
shl7_shl0::      table (V << 7) ^ V
; the small sigma of the word before the last
shr5::           table V >> 5
shl3_shr6::      table (V << 3) ^ (V >> 6)
shl2::           table V << 2
shr3::           table V >> 3
shl5::           table V << 5
; MT19937
shr1::           table V >> 1
shl7::           table V << 7
ASSERT LOW(shr6) == 0 && shl7 == shr6 + $0F00, "the tables must be pages in this order"
