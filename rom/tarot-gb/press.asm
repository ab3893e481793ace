; SPDX-License-Identifier: MIT
; Chance, from the moment at which somebody presses a button.
;
; How much is that?  The press is timed to 21 M-cycles (20 microseconds), so if it
; may fall anywhere within one second, there are 50,000 moments: under 16 bits.  Who
; waits longer gives a bit more, who wants to choose the deck gives less.  DIV
; follows from that time and from when the machine was switched on; it is stirred
; in because it costs nothing, not because it adds bits.  Emulators that look at
; the buttons once a frame leave 60 moments in a second: 6 bits.  Every further
; press adds as much again, until the register's 32 bits are full of it.  Of the
; 78! orders of the deck (382 bits) it can never reach more than 2^32-1.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"

SECTION "press state", HRAM
press: ds 4             ; loops waited, most significant byte first; DIV

SECTION "press", ROM0

; A = the buttons that are pressed, as bits, and the zero flag if none is.
MACRO read_buttons
  ld a, P1_BUTTONS
  ldh [IO_P1], a          ; every time: some emulators look only then
  ldh a, [IO_P1]
  cpl
  and $0F
ENDM

;; wait_for_press – wait until no button is held, then count until one is pressed.
; in:       none
; out:      hram press[4]
; clobbers: A BC DE F
; stack:    0
wait_for_press::
.held
  ld c, 0
.released                 ; 256 times in a row, for contacts bounce
    read_buttons
    jr nz, .held
    dec c
    jr nz, .released
  ld b, c
  ld d, c
  ld e, c
.count                    ; B D E, every 21 M-cycles; 24 bits last for five minutes
    inc de
    ld a, d
    or e
    jr nz, .same
      inc b
.same
    read_buttons
    jr z, .count
  ldh a, [IO_DIV]
  ldh [press + 3], a
  ld a, e
  ldh [press + 2], a
  ld a, d
  ldh [press + 1], a
  ld a, b
  ldh [press + 0], a
  ret

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
