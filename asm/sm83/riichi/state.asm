; SPDX-License-Identifier: MIT
; The variables of the riichi hand analysis: 509 bytes.
INCLUDE "riichi/riichi.inc"

; Everything that is gone through together lies within a page, so that the high
; byte of an address stays.
SECTION "riichi hand", WRAM0, ALIGN[8]
target_states::   ds 2 * TARGET_BYTES   ; the ways to a target, see target.asm
hand::            ds KINDS              ; copies of each kind in the closed hand
melds::           ds 1                  ; called melds, 0..4
shanten_normal::  ds 1
shanten_chiitoi:: ds 1
shanten_kokushi:: ds 1
melded::          ds KINDS              ; copies of each kind in called melds
ASSERT LOW(target_states) == 0, "target goes from 0 to its second array and back by one exclusive or"
ASSERT HIGH(melded + KINDS) == HIGH(hand), "the hand and its melds must lie in one page"

SECTION "riichi answers", WRAM0, ALIGN[8]
unseen::          ds KINDS              ; copies of each kind that may still be drawn
useful::                                ; those of them that help; and
kans::            ds KINDS              ; what own_kans finds: never wanted together
discard_shanten::                       ; after a discard of each kind; and
pons::            ds KINDS              ; 1 where a pon lies, for own_kans: likewise
discard_ukeire::  ds KINDS
best::            ds KINDS              ; 1: a discard that ties as best
ASSERT HIGH(best + KINDS - 1) == HIGH(unseen), "the answers must lie in one page"

SECTION "riichi costs", HRAM
suits::           ds SUITS * COSTS      ; the costs of each suit
join_01::         ds COSTS              ; of two suits together
join_23::         ds COSTS
join_rest::       ds COSTS              ; of three suits
target_own::      ds 1                  ; tiles held of a number
target_most::     ds 1                  ; the most a target may have of it
target_begin::    ds 1                  ; runs that may begin at it
target_last::     ds 1                  ; at most at the one before
target_before::   ds 1                  ; at most at the one before that
target_left::     ds 1                  ; numbers left to go through
target_tile::     ds 1                  ; low byte of the address of the next number in the hand
target_array::    ds 1                  ; low byte of the array that was made last
target_stop::     ds 1                  ; runs carried on, of the last group that is gone through, + 1
target_group::    ds 1                  ; low byte of the group that is made
target_costs::    ds 1                  ; low byte of where the suit's costs go
ukeire_missing::   ds 1                  ; tiles missing before the draw: shanten + 1
ukeire_count::    ds 1                  ; tiles that help so far
ukeire_suit::     ds 1                  ; suit that is tried
ukeire_kind::     ds 1                  ; kind that is tried
discard_kind::    ds 1                  ; kind that is discarded
discard_lowest::  ds 1                  ; missing tiles after the best discard so far
