; SPDX-License-Identifier: MIT
; The variables of Tenhou's wall.
INCLUDE "tenhou/tenhou.inc"

SECTION "tenhou hram", HRAM
tenhou_tiles:: ds 1     ; how many tiles there are: 136, or 108 of three players
tenhou_at::    ds 1     ; the place that is swapped next; the word's number
tenhou_chunk:: ds 1     ; chunks of the round still to come
tenhou_word::  ds 1     ; the word's place in the digest

; A tile's place is the low byte of its address.
SECTION "tenhou wall", WRAM0, ALIGN[8]
tenhou_wall::   ds TENHOU_TILES         ; place 0 is the end of the dead wall
tenhou_dice::   ds 2                    ; faces 1..6
SECTION "tenhou output", WRAM0, ALIGN[7]
tenhou_output:: ds TENHOU_CHUNK         ; the generator's output for one chunk
