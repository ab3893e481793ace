; SPDX-License-Identifier: MIT
; What to discard.
.include "riichi/riichi.inc"

.segment "CODE"

;; best_discard – shanten and ukeire after every discard of a hand of 3k+2 tiles, and the best.
; in:       zp hand[34] melded[34] melds unseen[34]
; requires: sound_hand, sound_unseen, sum j in 0..33: hand[j] >= 1
; out:      A discard_shanten[34] discard_ukeire[34] best[34]   (A: the lowest shanten; $80 for kinds not in the hand)
; ensures:  all j in 0..33: best[j] <= 1
; clobbers: as ukeire, zp discard_kind discard_least discard_most
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
    ; the tile is given away and stays seen: unseen is as it was
    dec hand,x
    jsr ukeire
    ldx discard_kind
    inc hand,x
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
