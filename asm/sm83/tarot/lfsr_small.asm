; SPDX-License-Identifier: MIT
; The random generator without tables.
INCLUDE "tarot/tarot.inc"

SECTION "tarot next_byte_small", ROM0

IF TAROT_FEEDBACK == $A3

;; next_byte_small – advance the LFSR eight steps and return its high byte.
; in:       hram lfsr[4]
; out:      A, lfsr[4]
; clobbers: B HL F
; stack:    0
; cycles:   50 constant
next_byte_small::
  ; Eight steps at once: the outgoing byte b = lfsr3 meets the mask in a
  ; carry-less product, and the rest of the register moves down one byte.
  ;   new lfsr0 = b ^ b>>2 ^ b>>6 ^ b>>7
  ;   new lfsr1 = lfsr0 ^ b<<1 ^ b<<2 ^ b<<6
  ; Both sums are built from the longest shift inwards.
  ld hl, lfsr + 3
  ld b, [hl]
  dec l
  ld a, [hl+]           ; lfsr2
  ld [hl-], a
  dec l
  ld a, [hl+]           ; lfsr1
  ld [hl-], a
  dec l
  ld a, b
  swap a
  and $F0               ; b<<4
  xor b
  add a, a
  xor b
  add a, a
  xor [hl]              ; lfsr0
  inc l
  ld [hl-], a
  ld a, b
  srl a
  xor b
  swap a
  and $0F               ; four to the right
  xor b
  srl a
  srl a
  xor b
  ld [hl], a
  ret

ELSE

;; next_byte_small – advance the LFSR eight steps and return its high byte.
; in:       hram lfsr[4]
; out:      A, lfsr[4]
; clobbers: BC E HL F
; stack:    0
; cycles:   131..139
next_byte_small::
  ; One step at a time, with the top byte in A.  The bits of lfsr3 go out one
  ; after the other; the two bytes above it only move down.
  ld hl, lfsr + 3
  ld e, [hl]
  dec l
  ld a, [hl+]           ; lfsr2
  ld [hl-], a
  dec l
  ld a, [hl+]           ; lfsr1
  ld [hl-], a
  dec l
  ld a, [hl]            ; lfsr0
  ld b, 8
.step
    srl a
    rr c                ; becomes lfsr1
    srl e
    jr nc, .no_feedback
      xor TAROT_FEEDBACK
.no_feedback
    dec b
    jr nz, .step
  ld [hl+], a
  ld [hl], c
  ret

ENDC
