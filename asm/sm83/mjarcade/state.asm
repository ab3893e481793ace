; SPDX-License-Identifier: MIT
; The variables of MJ Arcade's wall.
INCLUDE "mjarcade/mjarcade.inc"

SECTION "mjarcade state", WRAM0
mj_players::   ds 1     ; 4, or 3
mj_uncertain:: ds 4     ; the uncertain element, lowest byte first
mj_tiles::     ds 1     ; how many tiles there are
mj_at::        ds 1     ; the place that is swapped; a player
mj_from::      ds 1     ; a group of characters; a pair of players; a byte's place
mj_bits::      ds 1     ; the upper bits of a byte
mj_dice::      ds 2     ; faces 1..6

; In the other half of the work RAM: with this, one half would not hold everything.
SECTION "mjarcade seeds", WRAMX
mj_seeds::     ds MJ_PLAYERS * MJ_LETTERS       ; the seeds as text, one after another
mj_key::       ds MJ_PLAYERS * MJ_BYTES         ; the generator's key, words lowest byte first
SECTION "mjarcade words", WRAMX, ALIGN[7]
mj_words::     ds MJ_PLAYERS * MJ_BYTES         ; decoded, highest byte first
; A tile's place is the low byte of its address.
SECTION "mjarcade wall", WRAMX, ALIGN[8]
mj_wall::      ds MJ_TILES_4
