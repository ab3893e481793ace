; SPDX-License-Identifier: MIT
; The colours of a Game Boy Color: paper, light, dark and ink of each palette.

; Red, green and blue, 0 to 31 each.
MACRO colour
  dw (\1) | (\2) << 5 | (\3) << 10
ENDM

SECTION "palettes", ROM0
palettes::
  ; text
  colour 31, 31, 30
  colour 22, 22, 22
  colour 12, 12, 13
  colour  3,  2,  6
  ; the major arcana
  colour 31, 31, 28
  colour 31, 25,  6
  colour 25, 14,  2
  colour  9,  2, 12
  ; wands
  colour 31, 31, 28
  colour 29, 18,  9
  colour 19,  9,  3
  colour 12,  2,  1
  ; cups
  colour 31, 31, 28
  colour 14, 21, 31
  colour  5, 10, 25
  colour  2,  2, 14
  ; swords
  colour 31, 31, 28
  colour 22, 24, 26
  colour 11, 14, 17
  colour  3,  4,  7
  ; pentacles
  colour 31, 31, 28
  colour 24, 26,  6
  colour 11, 17,  3
  colour  1,  8,  3
  ; backs and title
  colour 31, 31, 30
  colour 24, 18, 30
  colour 14,  7, 24
  colour  6,  1, 13
.end::
