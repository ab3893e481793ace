; SPDX-License-Identifier: MIT
; The random generator with two tables of 256 bytes.
INCLUDE "tarot/tarot.inc"
INCLUDE "tarot/tables.inc"

DEF M EQU TAROT_FEEDBACK

SECTION "tarot products", ROM0, ALIGN[8]
; The product (b times the feedback byte, without carries) << 1: bit i of b adds
; the feedback byte where the eight steps leave it.
product_low:
  linear_table M << 1, M << 2, M << 3, M << 4, M << 5, M << 6, M << 7, M << 8
product_high:
  linear_table M >> 7, M >> 6, M >> 5, M >> 4, M >> 3, M >> 2, M >> 1, M
ASSERT LOW(product_low) == 0 && product_high == product_low + $100, "the product tables must be two pages"

SECTION "tarot next_byte", ROM0

;; next_byte – advance the LFSR eight steps and return its high byte.
; in:       hram lfsr[4]
; out:      A, lfsr[4]
; clobbers: DE HL F
; stack:    0
; cycles:   34 constant
next_byte::
  ; Eight steps at once: the outgoing byte meets the feedback byte in a
  ; carry-less product, and the rest of the register moves down one byte.
  ld hl, lfsr + 3
  ld e, [hl]
  dec l
  ld a, [hl+]           ; lfsr2
  ld [hl-], a
  dec l
  ld a, [hl+]           ; lfsr1
  ld [hl-], a
  ld d, HIGH(product_low)
  ld a, [de]
  dec l
  xor [hl]              ; lfsr0
  inc l
  ld [hl-], a
  inc d
  ld a, [de]
  ld [hl], a
  ret
