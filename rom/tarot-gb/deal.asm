; SPDX-License-Identifier: MIT
; From a seed to the spread: shuffle upon shuffle, and which cards lie reversed.
INCLUDE "tarot/tarot.inc"
INCLUDE "gameboy.inc"
INCLUDE "tarot_rom.inc"

DEF GENERATOR EQU 6     ; bytes of the generator: register and unused flips

SECTION "orientation", WRAM0, ALIGN[8]
orientation:: ds CARDS  ; 1: the card at this place is reversed

SECTION "generator kept", WRAM0
generator_kept: ds GENERATOR

SECTION "deal", ROM0

; A new seed from the last press, and its first deck.
deal_from_press::
  call seed_from_press
; fall through

; The first deck of the seed.
deal_from_seed::
FOR I, 4
  ld a, [seed + I]
  ldh [lfsr + I], a
ENDR
  xor a
  ldh [rng], a
  ldh [flips_left], a
  ld [shuffles + 0], a
  ld [shuffles + 1], a
  call deck_init
; fall through

; The next deck of the seed; there are 65,535, then a new seed.
deal_again::
  ld hl, shuffles
  inc [hl]
  jr nz, .numbered
    inc hl
    inc [hl]
    jr z, deal_from_press
.numbered
  call sound_of_shuffle
  call shuffle
  call orient
  xor a
  ld [turned], a
  jp spread_screen

;; orient – which cards lie reversed: the 78 flips after the shuffle, place 0 first.
; in:       hram lfsr[4] rng flips_left
; requires: flips_left <= 8
; out:      wram orientation[78]
; ensures:  all j in 0..77: orientation[j] <= 1
; clobbers: A BC DE HL F wram generator_kept[6]
; stack:    6
orient::
  ; The generator is left where the shuffle left it, or the next deck would not be
  ; the next one of the seed.
FOR I, GENERATOR
  ldh a, [lfsr + I]
  ld [generator_kept + I], a
ENDR
  ld de, orientation
.card
    call flip
    ld a, 0
    rla                   ; the flip
    ld [de], a
    inc e
    ld a, e
    cp LOW(orientation) + CARDS
    jr nz, .card
FOR I, GENERATOR
  ld a, [generator_kept + I]
  ldh [lfsr + I], a
ENDR
  ret
ASSERT LOW(orientation) == 0, "a card's place must be the low byte of its address"
ASSERT rng == lfsr + 4 && flips_left == lfsr + 5, "the generator must be six bytes in a row"
