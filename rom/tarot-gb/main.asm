; SPDX-License-Identifier: MIT
; The tarot on a Game Boy, with colours on a Game Boy Color: docs/roms.md says what
; is on the screens, which keys there are, and what others may look at.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"
INCLUDE "tarot_rom.inc"

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @           ; the header

SECTION "stack", WRAM0
  ds 128
stack_end:

SECTION "results", WRAM0
screen::   ds 1         ; SCREEN_TITLE to SCREEN_REST
seed::     ds 4         ; of the deck, or being typed; most significant byte first
shuffles:: ds 2         ; shuffles since then, low byte first
turned::   ds 1         ; cards of the spread that lie face up
pointer::  ds 1         ; which digit of the seed, or which card of the rest

SECTION "main", ROM0
reset::
  di                      ; and never ei: nothing here needs an interrupt
  ld sp, stack_end
  call colour_init
  xor a
  ld [waits + 0], a
  ld [waits + 1], a
  ld [shuffles + 0], a
  ld [shuffles + 1], a
  ld [turned], a
  ; Where the register starts does not matter, except at 0.
FOR I, 4
  ld a, STRBYTE("TARO", I)
  ldh [lfsr + I], a
  ld a, $12 + $22 * I     ; the seed that is shown to be changed
  ld [seed + I], a
ENDR
  call sound_init
  call screen_off
  ld de, tiles
  call screen_init
  jp title_screen
