; SPDX-License-Identifier: MIT
; The costs of one suit.
.include "riichi/riichi.inc"
.import automaton_root
.import cost_plane_0, cost_plane_1, cost_plane_2, cost_plane_3, cost_plane_4
.import cost_plane_5, cost_plane_6, cost_plane_7, cost_plane_8, cost_plane_9

.segment "CODE"

;; suit_costs – missing tiles of a suit for every number of melds, without and with the pair.
; in:       A zp hand[34] melded[34]   (A: the suit, m p s honours)
; requires: A <= 3, sound_tiles
; out:      suits[40]   (of the suit only: five without the pair, five with it)
; clobbers: callees, zp suit suit_row[2] suit_next suit_tiles
; stack:    4
; cycles:   170..70100   (by the automaton 718..753, of honours 170..1949; by targets the upper bound is estimated outward: 63420 were the most seen)
; loops:    @number 9
.proc suit_costs
  sta suit
  asl a
  asl a
  adc suit              ; carry is clear: five times the suit
  asl a
  sta suit_slot
  cmp #HONOURS * COSTS
  bne @numbers
    jmp honour_costs
@numbers:
  lda suit
  asl a
  asl a
  asl a
  adc suit              ; carry is clear: nine times the suit
  tax
  adc #NUMBERS - 1      ; carry is clear
  sta suit_next         ; the suit's last number
  lda #0
  sta suit_tiles
  lda #<automaton_root
  sta suit_row
  lda #>automaton_root
  sta suit_row+1
@number:
    lda melded,x
    bne @other
    lda hand,x
    cmp #COPIES
    bcs @other
    tay
    adc suit_tiles      ; carry is clear
    cmp #AUTOMATON_MOST + 1
    bcs @other
    sta suit_tiles
    cpx suit_next
    beq @last
    tya
    asl a
    tay
    lda (suit_row),y
    pha
    iny
    lda (suit_row),y
    sta suit_row+1
    pla
    sta suit_row
    inx
    bne @number         ; always
@last:
  lda (suit_row),y
  tay
  ldx suit_slot
  lda cost_plane_0,y
  sta suits,x
  lda cost_plane_1,y
  sta suits+1,x
  lda cost_plane_2,y
  sta suits+2,x
  lda cost_plane_3,y
  sta suits+3,x
  lda cost_plane_4,y
  sta suits+4,x
  lda cost_plane_5,y
  sta suits+5,x
  lda cost_plane_6,y
  sta suits+6,x
  lda cost_plane_7,y
  sta suits+7,x
  lda cost_plane_8,y
  sta suits+8,x
  lda cost_plane_9,y
  sta suits+9,x
  rts
@other:
  lda suit
  jmp target            ; by all targets
.endproc

; A cost of honours with a block more: the lesser stays. X is the suit's slot.
.macro with_block from, block, to
  lda suits + HONOURS * COSTS + (from)
  clc
  adc block
  cmp suits + HONOURS * COSTS + (to)
  bcs :+
    sta suits + HONOURS * COSTS + (to)
:
.endmacro

;; honour_costs – the costs of the honours: each kind is a triplet, a pair or neither.
; in:       zp hand[34] melded[34]
; requires: sound_tiles
; out:      suits[40]   (of the honours only)
; clobbers: A X Y N V Z C target_own target_triplet target_pair
; stack:    0
; cycles:   148..1927   (1926 without melds)
; invariant: @kind: X in FIRST_HONOUR..KINDS - 1
; decreases: @kind: KINDS - X
.proc honour_costs
  ; of nothing held; then each kind is added
  .repeat ::COSTS, entry
    lda #3 * (entry .mod WITH_PAIR) + 2 * (entry / WITH_PAIR)
    sta suits + HONOURS * COSTS + entry
  .endrepeat
  ldx #FIRST_HONOUR
@kind:
    lda hand,x
    bne @held
@next:
    inx
    cpx #KINDS
    bne @kind
@all:
  rts
@held:
    sta target_own
    ; a target has room for the triplet when one tile at most is melded, for the
    ; pair when two; a block that lacks room costs as if nothing of it were held
    ldy #3
    lda melded,x
    cmp #2
    bcs @no_triplet
      lda #3
      sbc target_own    ; carry is clear: one too few, so iny
      tay
      iny
      bpl @no_triplet
        ldy #0
@no_triplet:
    sty target_triplet
    ldy #2
    lda melded,x
    cmp #3
    bcs @no_pair
      lda #2
      sbc target_own    ; carry is clear, as above
      tay
      iny
      bpl @no_pair
        ldy #0
@no_pair:
    sty target_pair
    ; no kind is in two blocks: the greatest entries are replaced first
    .repeat ::MELDS, i
      with_block WITH_PAIR + MELDS - 1 - i, target_triplet, WITH_PAIR + MELDS - i
      with_block MELDS - i, target_pair, WITH_PAIR + MELDS - i
    .endrepeat
    with_block 0, target_pair, WITH_PAIR
    .repeat ::MELDS, i
      with_block MELDS - 1 - i, target_triplet, MELDS - i
    .endrepeat
    jmp @next
.endproc
