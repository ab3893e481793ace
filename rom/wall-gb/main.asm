; SPDX-License-Identifier: MIT
; The walls of a Tenhou game on a Game Boy: docs/roms.md says what is on the
; screens, which keys there are, and what others may look at.
INCLUDE "gameboy.inc"
INCLUDE "mt19937/mt19937.inc"
INCLUDE "wall_rom.inc"

; Only while a round is made: the bar.
SECTION "vblank vector", ROM0[$40]
  jp show_progress

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @           ; the header

SECTION "stack", WRAM0
  ds 128
stack_end:

SECTION "results", WRAM0
screen:: ds 1           ; SCREEN_CHOOSE to SCREEN_WALL
chosen:: ds 1           ; the round, from 0
made::   ds 1           ; rounds made since the seeding, or NOT_SEEDED

; What "fairdeck tenhou rom" replaces.
SECTION "built in", ROM0
built_in_key::          ; words of the game's seed, their lowest bytes first
FOR I, MT_WORDS
  dl I * $9E3779B9      ; no game's: words to try the program with
ENDR
built_in_words:: dw MT_WORDS
built_in_dora::  db 1   ; which tile of a pair lies on top: 1, in logs of 2009 0

SECTION "main", ROM0
reset::
  di
  ld sp, stack_end
  call colour_init
  xor a
  ld [waits + 0], a
  ld [waits + 1], a
  ld [chosen], a
  ldh [IO_IF], a
  inc a
  ldh [IO_IE], a          ; VBlank alone
  ld a, NOT_SEEDED
  ld [made], a
  call screen_off
  ld de, tiles
  call screen_init
  jp choose_screen

SECTION "tiles", ROM0
tiles:
INCLUDE "wall_tiles.inc"
