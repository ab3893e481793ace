; SPDX-License-Identifier: MIT
; The colours of a Game Boy Color: paper, light, dark and ink of each palette.

; Red, green and blue, 0 to 31 each.
MACRO colour
  dw (\1) | (\2) << 5 | (\3) << 10
ENDM

SECTION "palettes", ROM0
palettes::
  ; text and dice
  colour 31, 31, 30
  colour 22, 22, 22
  colour  6, 14, 10
  colour  2,  3,  4
  ; characters
  colour 31, 30, 26
  colour 22, 20, 14
  colour 18, 16, 11
  colour 11,  2,  6
  ; circles
  colour 31, 30, 26
  colour 16, 22, 31
  colour 18, 16, 11
  colour  2,  6, 22
  ; bamboos, and the green dragon
  colour 31, 30, 26
  colour 16, 26, 14
  colour 18, 16, 11
  colour  1, 13,  3
  ; winds, and the white dragon
  colour 31, 30, 26
  colour 22, 20, 14
  colour 18, 16, 11
  colour  4,  4,  9
  ; red
  colour 31, 30, 26
  colour 31, 18, 14
  colour 18, 16, 11
  colour 26,  2,  3
.end::
