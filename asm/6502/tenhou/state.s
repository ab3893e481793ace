; SPDX-License-Identifier: MIT
; The variables of Tenhou's wall.
.include "tenhou/tenhou.inc"

.segment "ZEROPAGE"
tenhou_tiles: .res 1    ; how many tiles there are: 136, or 108 of three players
tenhou_at:    .res 1    ; the place that is swapped next; the word's number
tenhou_chunk: .res 1    ; chunks of the round still to come
tenhou_word:  .res 1    ; the word's place in the digest

.segment "BSS"
tenhou_wall:   .res TENHOU_TILES        ; place 0 is the end of the dead wall
tenhou_dice:   .res 2                   ; faces 1..6
tenhou_output: .res 128                 ; the generator's output for one chunk
