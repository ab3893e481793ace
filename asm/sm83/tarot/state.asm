; SPDX-License-Identifier: MIT
; The variables of the tarot shuffle.
INCLUDE "tarot/tarot.inc"

SECTION "tarot state", HRAM
lfsr::       ds 4       ; shift register, most significant byte first
rng::        ds 1       ; flips not used yet: the next one in bit 0
flips_left:: ds 1       ; how many flips rng still holds, 0..8

; A card's place is the low byte of its address.
SECTION "tarot deck", WRAM0, ALIGN[8]
deck::       ds CARDS
