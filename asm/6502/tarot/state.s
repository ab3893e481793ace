; SPDX-License-Identifier: MIT
; The variables of the tarot shuffle.  They live in the zero page.
.include "tarot.inc"

.segment "ZEROPAGE"
lfsr:       .res 4      ; shift register, most significant byte first
rng:        .res 1      ; flips not used yet: the next one in bit 0
flips_left: .res 1      ; how many flips rng still holds, 0..8
deck:       .res CARDS
