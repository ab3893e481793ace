; SPDX-License-Identifier: MIT
; The tarot shuffle on a Game Boy: every press of a button shuffles a new deck.
;
; What others may look at: seed (the register before the shuffle, in WRAM), deck,
; and shuffles, which counts once deck and screen are done.  A deck follows from
; its seed alone: it starts in order and no flips are left over.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @           ; the header

SECTION "stack", WRAM0
  ds 128
stack_end:

SECTION "results", WRAM0
seed::     ds 4         ; most significant byte first
shuffles:: ds 2         ; shuffles done, low byte first

SECTION "main", ROM0
reset::
  di                      ; and never ei: nothing here needs an interrupt
  ld sp, stack_end
  xor a
  ld [shuffles + 0], a
  ld [shuffles + 1], a
  ; Where the register starts does not matter, except at 0.
FOR I, 4
  ld a, STRBYTE("TARO", I)
  ldh [lfsr + I], a
ENDR
  call deck_init
  call screen_init
  call show_start
.again
    call wait_for_press
    call seed_from_press
    xor a
    ldh [rng], a
    ldh [flips_left], a
    call deck_init
    call shuffle
    call show_deck
    ld hl, shuffles
    inc [hl]
    jr nz, .again
    inc hl
    inc [hl]
    jr .again
