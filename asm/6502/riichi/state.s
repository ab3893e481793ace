; SPDX-License-Identifier: MIT
; The variables of the riichi hand analysis.
.include "riichi/riichi.inc"

.segment "ZEROPAGE"
suits:             .res SUITS * COSTS  ; missing tiles of each suit: 5 * pair + melds
joined:            .res COSTS   ; of some suits together
join_least:        .res 1
suit:              .res 1       ; 0..3
suit_slot:         .res 1       ; where the suit's costs begin in suits
suit_row:          .res 2       ; the automaton's row
suit_next:         .res 1       ; the suit's last number
suit_tiles:        .res 1       ; tiles so far
target_place:      .res 1       ; kind of the number
target_left:       .res 1       ; numbers from here on
target_own:        .res 1       ; copies in the hand
target_over:       .res 1       ; one more than a target may have of it
target_least:      .res 1       ; copies in the target, without a triplet or pair
target_missing:    .res 1
target_from:       .res 1       ; states before the number, and after it: place, from 1 on
target_to:         .res 1
target_alive_from: .res 1       ; the same in target_alive
target_alive_to:   .res 1
target_live:       .res 1       ; not 0: the block has a state
target_run:        .res 1       ; runs that begin here
target_last:       .res 1       ; runs that began at the number before
target_block:      .res 1       ; a source block's place in target_alive
target_at:         .res 1       ; that block's place in target_states
target_triplet:    .res 1       ; missing tiles of an honour's triplet, and of its pair
target_pair:       .res 1
shanten_pairs:     .res 1
shanten_kinds:     .res 1
shanten_normal:    .res 1       ; signed: $FF is complete, $7F does not apply
shanten_chiitoi:   .res 1
shanten_kokushi:   .res 1
ukeire_now:        .res 1       ; the hand's shanten
ukeire_sum:        .res 1
ukeire_kind:       .res 1
ukeire_suit:       .res 1
ukeire_kept:       .res COSTS   ; the suit's costs before tiles are tried
discard_kind:      .res 1
discard_least:     .res 1
discard_most:      .res 1
call_bits:         .res 1
call_kind:         .res 1

.segment "BSS"
hand:              .res KINDS   ; copies of each kind in the closed hand
melded:            .res KINDS   ; and in called melds
unseen:            .res KINDS   ; and how many may still be drawn
melds:             .res 1       ; called melds, 0..4
; Three results that are never wanted together share their place.
useful:                         ; unseen copies of kinds that help
best:                           ; 1: the kind is a best discard
kans:              .res KINDS   ; 1: closed kan, 2: added kan
; The list of pons is read by own_kans only, discards are left by best_discard.
discard_shanten:                ; after a discard; $80: not in the hand
pons:              .res KINDS   ; 1: a pon of the kind lies beside the hand
discard_ukeire:    .res KINDS
target_states:     .res 2 * STATES      ; costs before and after a number
target_alive:      .res 2 * BLOCKS      ; which blocks of them have any
