; SPDX-License-Identifier: MIT
; A byte times each of the three factors of the seeding, modulo 2^32: byte i of
; the product in the i-th table of 256.
INCLUDE "mt19937/mt19937.inc"

MACRO products ; factor
  FOR I, MT_WORD
    FOR V, 256
      db LOW((V * (\1)) >>> (8 * I))
    ENDR
  ENDR
ENDM

SECTION "mt19937 products", ROM0, ALIGN[8]
mt_product_first::
  products 1812433253
mt_product_key::
  products 1664525
mt_product_last::
  products 1566083941
ASSERT LOW(mt_product_first) == 0 && mt_product_last == mt_product_first + $800, "the tables must be pages"
