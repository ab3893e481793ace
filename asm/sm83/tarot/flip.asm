; SPDX-License-Identifier: MIT
; One coin flip out of the byte stream.
INCLUDE "tarot/tarot.inc"

SECTION "tarot flip", ROM0

;; flip – the next random bit; a fresh byte gives eight, bit 0 first.
; in:       hram lfsr[4] rng flips_left
; requires: flips_left <= 8
; out:      CF, lfsr[4] rng flips_left
; ensures:  flips_left <= 7
; clobbers: A HL ZF NF HF
; stack:    4
; cycles:   19..          (with a fresh byte 43 more than next_byte)
flip::
  ld hl, flips_left
  ld a, [hl]
  sub 1
  jr c, .fresh
.have
  ld [hl-], a
  srl [hl]              ; rng
  ret
.fresh
  push de               ; seldom, so that the caller has DE for itself
  call next_byte
  pop de
  ld hl, rng
  ld [hl+], a
  ld a, 7
  jr .have
ASSERT flips_left == rng + 1, "flip goes from one to the other"
