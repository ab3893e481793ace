; SPDX-License-Identifier: MIT
; The variables of MJ Arcade's wall.
.include "mjarcade/mjarcade.inc"

.segment "ZEROPAGE"
mj_players:   .res 1    ; 4, or 3
mj_uncertain: .res 4    ; the uncertain element, lowest byte first
mj_tiles:     .res 1    ; how many tiles there are
mj_at:        .res 1    ; the place that is swapped; a player
mj_from:      .res 1    ; a character's, or a byte's, place
mj_bits:      .res 4    ; three bytes out of four characters

.segment "BSS"
mj_seeds:     .res MJ_PLAYERS * MJ_LETTERS      ; the seeds as text, one after another
mj_key:       .res MJ_PLAYERS * MJ_BYTES        ; the generator's key, words lowest byte first
mj_words:     .res MJ_PLAYERS * MJ_BYTES        ; decoded, highest byte first
mj_wall:      .res MJ_TILES_4
mj_dice:      .res 2                            ; faces 1..6
