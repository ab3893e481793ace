; SPDX-License-Identifier: MIT
; What to discard.
.include "riichi/riichi.inc"

.segment "CODE"

;; best_discard – shanten and ukeire after every discard of a hand of 3k+2 tiles, and the best.
; in:       zp hand[34] melded[34] melds unseen[34]
; requires: melds <= MELDS, all j in 0..33: hand[j] + melded[j] <= COPIES,
;           all j in 0..33: unseen[j] == 0 or hand[j] + melded[j] <= 3
; out:      A discard_shanten[34] discard_ukeire[34] best[34]   (A: the lowest shanten; $80 for kinds not in the hand)
; ensures:  all j in 0..33: best[j] <= 1
; clobbers: X Y N V Z C discard_kind discard_least discard_most ukeire_now ukeire_sum ukeire_kind ukeire_suit ukeire_kept[10] shanten_normal shanten_chiitoi shanten_kokushi shanten_pairs shanten_kinds suits[40] joined[10] join_least suit suit_slot suit_row[2] suit_next suit_tiles target_place target_left target_own target_over target_least target_missing target_from target_to target_alive_from target_alive_to target_live target_run target_last target_block target_at target_triplet target_pair target_states[180] target_alive[18]
; stack:    12
; cycles:   12500..31000000   (upper bound: 14 times ukeire; 6728600 were the most seen)
; loops:    @kind 34..34
.proc best_discard
  lda #NOT_HELD
  sta discard_least
  lda #0
  sta discard_most
  ldx #KINDS - 1
@kind:
    stx discard_kind
    lda #NOT_HELD
    sta discard_shanten,x
    lda #0
    sta discard_ukeire,x
    lda hand,x
    beq @next
    ; as a hand that never had the tile: it may still be drawn
    dec hand,x
    inc unseen,x
    jsr ukeire
    ldx discard_kind
    inc hand,x
    dec unseen,x
    sta discard_ukeire,x
    tay
    lda ukeire_now
    sta discard_shanten,x
    cmp discard_least
    beq @as_low
    bcs @next
    sta discard_least
    sty discard_most
    bcc @next           ; always
@as_low:
    cpy discard_most
    bcc @next
    sty discard_most
@next:
    dex
    bpl @kind
  ; useful shares its place with best, and is no longer wanted
  ldx #KINDS - 1
@mark:
    ldy #0
    lda discard_shanten,x
    cmp discard_least
    bne @marked
    lda discard_ukeire,x
    cmp discard_most
    bne @marked
    iny
@marked:
    tya
    sta best,x
    dex
    bpl @mark
  lda discard_least
  rts
.endproc
