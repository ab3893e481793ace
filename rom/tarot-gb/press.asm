; SPDX-License-Identifier: MIT
; Chance, from the moment at which somebody presses a key.
;
; How much is that?  The press is timed to 42 M-cycles (40 microseconds), so if it
; may fall anywhere within one second, there are 25,000 moments: under 15 bits.  Who
; waits longer gives a bit more, who wants to choose the deck gives less.  DIV
; follows from that time and from when the machine was switched on; it is stirred
; in because it costs nothing, not because it adds bits.  Emulators that look at
; the keys once a frame leave 60 moments in a second: 6 bits.  Every further deck
; from the title adds as much again, until the register's 32 bits are full of it.
; Of the 78! orders of the deck (382 bits) it can never reach more than 2^32-1.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"

SECTION "seed from press", ROM0

; Calls of next_byte after the last byte: two decks whose presses differ little
; shall differ everywhere from the first card on.
DEF MIXING EQU 12

;; seed_from_press – stir the press into the register, and note that as the seed.
; in:       hram press[4] lfsr[4]
; out:      lfsr[4] wram seed[4]   (not zero)
; clobbers: A BC DE HL F
; stack:    2
seed_from_press::
  ; Like a checksum: what was there before is kept, and presses add up.
  ld c, LOW(press)
  ld b, 4
.stir
    ldh a, [c]
    inc c
    ld hl, lfsr
    xor [hl]
    ld [hl], a
    call next_byte
    dec b
    jr nz, .stir
  ld b, MIXING
.mix
    call next_byte
    dec b
    jr nz, .mix
  ; The register never leaves zero.
  ld hl, lfsr
  ld a, [hl+]
  or [hl]
  inc l
  or [hl]
  inc l
  or [hl]
  jr nz, .usable
    ld [hl], 1
.usable
FOR I, 4
  ldh a, [lfsr + I]
  ld [seed + I], a
ENDR
  ret
