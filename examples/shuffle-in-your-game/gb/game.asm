; SPDX-License-Identifier: MIT
; A game that deals cards.
INCLUDE "tarot/tarot.inc"       ; CARDS; rgblink knows the routines

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @                   ; the header

SECTION "stack", WRAM0
  ds 64
stack_end:

SECTION "variables", WRAM0
dealt:: ds 1                    ; cards of the deck that are on the table

SECTION "game", ROM0
reset::
  di
  ld sp, stack_end
  ; The seed: anything but four zeros, of which the register would never get out.
  ; A game takes it from the player: say, from DIV when START is pressed.
  ld hl, lfsr
  ld a, $12
  ld [hl+], a
  ld a, $34
  ld [hl+], a
  ld a, $56
  ld [hl+], a
  ld [hl], $78
  xor a
  ldh [rng], a                  ; no flips are left over yet
  ldh [flips_left], a
  call deck_init                ; once: shuffles go on from the deck as it lies
  ld a, CARDS
  ld [dealt], a                 ; all of it is used up
ready::
  jr ready                      ; here the game would begin

; The next card in A, 0..77; with a new shuffle when all have been dealt.
deal::
  ld a, [dealt]
  cp CARDS
  jr c, .card
    call shuffle
    xor a
.card
  ld l, a
  inc a
  ld [dealt], a
  ld h, HIGH(deck)              ; a card's place is the low byte of its address
  ld a, [hl]
  ret
