; SPDX-License-Identifier: MIT
; The tarot shuffle again and again: one program for all emulators of the Game Boy.
; The host looks at done.
INCLUDE "tarot/tarot.inc"

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @             ; the header

SECTION "shuffles", WRAM0
done:: ds 3               ; shuffles done, least significant byte first

SECTION "main", ROM0
reset::
  di
  ld sp, $E000
  xor a
FOR I, 3
  ld [done + I], a
ENDR
  ldh [rng], a
  ldh [flips_left], a
FOR I, 4
  ld a, $12345678 >> (24 - 8 * I) & $FF
  ldh [lfsr + I], a
ENDR
  call deck_init
.again
    call shuffle
    ld hl, done
    inc [hl]
    jr nz, .again
    inc hl
    inc [hl]
    jr nz, .again
    inc hl
    inc [hl]
    jr .again
