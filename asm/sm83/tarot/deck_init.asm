; SPDX-License-Identifier: MIT
; The deck in order.
INCLUDE "tarot/tarot.inc"

SECTION "tarot deck_init", ROM0

;; deck_init – put the cards 0..77 in order: deck[i] = i.
; in:       none
; out:      wram deck[78]
; ensures:  all j in 0..77: deck[j] == j
; clobbers: A HL F
; stack:    0
; cycles:   471 constant   (M-cycles, entry to RET inclusive)
deck_init::
  ld hl, deck + CARDS - 1
  ld a, l               ; the last card: its place
.card
    ld [hl-], a
    dec a
    jr nz, .card
  ld [hl], a            ; card 0
  ret
ASSERT LOW(deck) == 0, "a card's place must be the low byte of its address"
