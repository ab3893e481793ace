; SPDX-License-Identifier: MIT
; Exchange two cards.
INCLUDE "tarot/tarot.inc"

SECTION "tarot swap", ROM0

;; swap – exchange deck[L] and deck[E]; L = E is harmless.
; in:       L E wram deck[78]
; requires: L < CARDS, E < CARDS
; out:      deck[78]
; ensures:  deck[L] == old deck[E], deck[E] == old deck[L]
; clobbers: A B D H
; stack:    0
; cycles:   16 constant
#swap::                 ; with # because swap is an instruction too
  ld h, HIGH(deck)
  ld d, h
  ld a, [de]
  ld b, [hl]
  ld [hl], a
  ld a, b
  ld [de], a
  ret
ASSERT LOW(deck) == 0, "a card's place must be the low byte of its address"
