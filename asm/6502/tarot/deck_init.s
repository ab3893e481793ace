; SPDX-License-Identifier: MIT
; The deck in order.
.include "tarot.inc"

.segment "CODE"

;; deck_init – put the cards 0..77 in order: deck[i] = i.
; in:       none
; out:      zp deck[78]
; ensures:  all j in 0..77: deck[j] == j
; clobbers: A X N Z
; stack:    0
; cycles:   865 constant
.proc deck_init
  ldx #CARDS-1
@card:
    txa
    sta deck,x
    dex
    bpl @card
  .assert >* = >@card, lderror, "the loop must not cross a page"
  rts
.endproc
