; SPDX-License-Identifier: MIT
; A byte times each of the three factors of the seeding, modulo 2^32: byte i of
; the product in the i-th table of 256.
.include "mt19937/mt19937.inc"

.macro products factor
  .repeat ::MT_WORD, i
    .repeat 256, b
      .byte <((b * (factor)) >> (8 * i))
    .endrepeat
  .endrepeat
.endmacro

.segment "RODATA"
  .align 256            ; an index must never cross a page: constant time
mt_product_first:
  products 1812433253
mt_product_key:
  products 1664525
mt_product_last:
  products 1566083941
.assert <mt_product_first = 0, lderror, "the tables must start pages"
