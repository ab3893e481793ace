; SPDX-License-Identifier: MIT
; How many tiles a hand is from being one tile from complete.
.include "riichi/riichi.inc"

.segment "RODATA"
orphans:
  .byte 0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33
.assert * - orphans = ORPHANS, error, "there are thirteen orphans"

.segment "CODE"

;; normal_shanten – of four melds and a pair; called melds count as done.
; in:       zp hand[34] melded[34] melds
; requires: sound_hand
; out:      A suits[40]   (A signed: $FF is complete)
; clobbers: callees
; stack:    6
; cycles:   3900..215000   (upper bound: three suits by the dearest targets; 114700 were the most seen)
; loops:    @suit 4..4
.proc normal_shanten
  lda #HONOURS
@suit:
    jsr suit_costs
    dec suit
    bmi @all
    lda suit
    bpl @suit           ; always
@all:
  ldx #COSTS - 1
@first:
    lda suits,x
    sta joined,x
    dex
    bpl @first
  ldx #COSTS
  jsr join
@two:
  ldx #2 * COSTS
  jsr join
@three:
  ldx #3 * COSTS
  jsr join_wanted
  sec
  sbc #1
  rts
.endproc

;; chiitoi_shanten – of seven different pairs.
; in:       zp hand[34]
; requires: closed_tiles
; out:      A   (signed: $FF is complete)
; clobbers: X N V Z C shanten_pairs shanten_kinds
; stack:    0
; cycles:   442..569   (to 640 where branches cross a page)
; loops:    @kind 34..34
.proc chiitoi_shanten
  lda #0
  sta shanten_pairs
  sta shanten_kinds
  ldx #KINDS - 1
@kind:
    lda hand,x
    beq @next
    inc shanten_kinds
    cmp #2
    bcc @next
    inc shanten_pairs
@next:
    dex
    bpl @kind
@missing:               ; kinds that a hand of few kinds lacks
  lda #PAIRS
  sec
  sbc shanten_kinds
  bcs @lacks
    lda #0
@lacks:
  clc
  adc #PAIRS - 1
  sec
  sbc shanten_pairs
  rts
.endproc

;; kokushi_shanten – of the thirteen orphans with one of them twice.
; in:       zp hand[34]
; requires: closed_tiles
; out:      A   (signed: $FF is complete)
; clobbers: X Y N V Z C shanten_pairs shanten_kinds
; stack:    0
; cycles:   233..354
.proc kokushi_shanten
  lda #ORPHANS
  sta shanten_kinds     ; that are missing
  lda #0
  sta shanten_pairs
  ldx #ORPHANS - 1
@orphan:
    ldy orphans,x
    lda hand,y
    beq @next
    dec shanten_kinds
    cmp #2
    bcc @next
    lda #1
    sta shanten_pairs
@next:
    dex
    bpl @orphan
  .assert >* = >@orphan, lderror, "the loop must not cross a page"
  lda shanten_kinds
  sec
  sbc shanten_pairs
  rts
.endproc

;; shanten – the least of all that apply; with called melds only melds and a pair do.
; in:       zp hand[34] melded[34] melds
; requires: sound_hand
; out:      A shanten_normal shanten_chiitoi shanten_kokushi suits[40]   (signed: $FF is complete; $7F does not apply)
; clobbers: callees
; stack:    8
; cycles:   3900..217000   (as normal_shanten; 5000 when the automaton knows every suit)
.proc shanten
  jsr normal_shanten
  sta shanten_normal
  ldx melds
  beq @closed
    ldx #NEVER
    stx shanten_chiitoi
    stx shanten_kokushi
    rts
@closed:
  jsr chiitoi_shanten
  sta shanten_chiitoi
@orphans:
  jsr kokushi_shanten
  sta shanten_kokushi
  ; compare one more: complete is 0
  ldx shanten_chiitoi
  inx
  stx shanten_pairs
  tax
  inx
  cpx shanten_pairs
  bcc @kokushi
    ldx shanten_pairs
@kokushi:
  stx shanten_pairs
  ldx shanten_normal
  inx
  cpx shanten_pairs
  bcc @least
    ldx shanten_pairs
@least:
  dex
  txa
  rts
.endproc
