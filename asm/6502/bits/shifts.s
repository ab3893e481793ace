; SPDX-License-Identifier: MIT
; Bytes shifted: what one byte of a long word gives to a byte of the word shifted or
; rotated.  A name lists the shifts whose results are added (exclusive or).
.include "bits/shifts.inc"

.segment "RODATA"
  .align 256            ; an index must never cross a page: constant time
shr1:
  .repeat 256, b
    .byte <((b >> 1))
  .endrepeat
shr2:
  .repeat 256, b
    .byte <((b >> 2))
  .endrepeat
shr3:
  .repeat 256, b
    .byte <((b >> 3))
  .endrepeat
shr4:
  .repeat 256, b
    .byte <((b >> 4))
  .endrepeat
shr5:
  .repeat 256, b
    .byte <((b >> 5))
  .endrepeat
shr6:
  .repeat 256, b
    .byte <((b >> 6))
  .endrepeat
shl2:
  .repeat 256, b
    .byte <((b << 2))
  .endrepeat
shl5:
  .repeat 256, b
    .byte <((b << 5))
  .endrepeat
shl6:
  .repeat 256, b
    .byte <((b << 6))
  .endrepeat
shl7:
  .repeat 256, b
    .byte <((b << 7))
  .endrepeat
shr1_shr7:
  .repeat 256, b
    .byte <((b >> 1) ^ (b >> 7))
  .endrepeat
shl7_shl0_shl1:
  .repeat 256, b
    .byte <((b << 7) ^ b ^ (b << 1))
  .endrepeat
shl7_shl0:
  .repeat 256, b
    .byte <((b << 7) ^ b)
  .endrepeat
shl3_shr6:
  .repeat 256, b
    .byte <((b << 3) ^ (b >> 6))
  .endrepeat
shr2_shl2:
  .repeat 256, b
    .byte <((b >> 2) ^ (b << 2))
  .endrepeat
shl4_shr2_shr7:
  .repeat 256, b
    .byte <((b << 4) ^ (b >> 2) ^ (b >> 7))
  .endrepeat
shl6_shl1:
  .repeat 256, b
    .byte <((b << 6) ^ (b << 1))
  .endrepeat
.assert <shr1 = 0, lderror, "the tables must start pages"
