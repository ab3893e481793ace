SECTION "Inn", ROMX, BANK[2]

;; night – what a night costs: twice the level, at most 99.
; in:       A
; requires: A <= 127
; out:      A
; ensures:  A == 2 * old A and A < 99 or A == 99
; clobbers: F
; stack:    0
; cycles:   8..11
night::
  add a, a
  cp 99
  ret c
  ld a, 99
  ret
