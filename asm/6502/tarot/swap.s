; SPDX-License-Identifier: MIT
; Exchange two cards.
.include "tarot.inc"

.segment "ZEROPAGE"
swap_card: .res 1

.segment "CODE"

;; swap – exchange deck[X] and deck[Y]; X = Y is harmless.
; in:       X Y zp deck[78]
; requires: X < CARDS, Y < CARDS
; out:      deck[78]
; ensures:  deck[X] == old deck[Y], deck[Y] == old deck[X]
; clobbers: A N Z swap_card
; stack:    0
; cycles:   29 constant
.proc swap
  lda deck,x
  sta swap_card
  lda deck,y
  sta deck,x
  lda swap_card
  sta deck,y
  rts
.endproc
