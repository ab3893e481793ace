DEF TOP EQU 9
EXPORT TOP

SECTION "Floors", ROM0

;; move_lift – up or down by one floor, from the ground to the top.
; in:       pressed level
; requires: level <= TOP
; out:      level
; ensures:  level <= TOP,
;           (pressed & 12) == 0 -> level == old level,
;           (pressed & 4) == 4 and old level < TOP -> level == old level + 1,
;           (pressed & 12) == 8 and old level > 0 -> level == old level - 1
; clobbers: A HL F
; stack:    0
; cycles:   18..27              (M-cycles)
move_lift::
  ld hl, level
  ld a, [pressed]
  bit 2, a
  jr nz, .up
  bit 3, a
  ret z
  ld a, [hl]
  and a
  ret z
  dec [hl]
  ret
.up
  ld a, [hl]
  cp TOP
  ret z
  inc [hl]
  ret

SECTION "Digits", ROMX, BANK[2]

;; level_digits – the tiles of a floor's number: G for the ground.
; in:       A
; requires: A <= TOP
; out:      digits[2]
; ensures:  digits[0] == $46,
;           old A == 0 -> digits[1] == $47, old A > 0 -> digits[1] == $30 + old A
; clobbers: A F
; stack:    0
; cycles:   20..21              (M-cycles)
level_digits::
  and a
  jr nz, .number
  ld a, 'G' - '0'
.number
  add '0'
  ld [digits + 1], a
  ld a, 'F'
  ld [digits], a
  ret
