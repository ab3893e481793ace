; SPDX-License-Identifier: MIT
; The costs of a suit by all targets it can have.
.include "riichi/riichi.inc"

; A target with so many melds and pairs that needs no tile of the hand misses
; so many: a state that costs as much need not be gone on with. The empty one
; costs nothing and is always gone on with.
.segment "CODE"

; States of a row of melds with what the number adds to them. X: block before, Y: block after.
.macro pull from_pair, to_pair, more
  .repeat ::MELDS + 1 - (more), m
      lda target_states - 1 + WITH_PAIR * (from_pair) + m,x
      cmp #3 * m + 2 * (from_pair) + (m + (from_pair) = 0)
      bcs :+
      adc target_missing        ; carry is clear: a cost below the immediate
      cmp target_states - 1 + WITH_PAIR * (to_pair) + m + (more),y
      bcs :+
      sta target_states - 1 + WITH_PAIR * (to_pair) + m + (more),y
      stx target_live           ; places begin at 1
:
  .endrepeat
.endmacro

; Missing tiles when the target has A of the number.
.macro miss
  sec
  sbc target_own
  bcs :+
    lda #0
:
  sta target_missing
.endmacro

; A block's states with so many runs that begin here, alone or beside a pair or triplet.
.macro pull_runs runs
  lda target_least
  miss
  pull 0, 0, runs
  pull 1, 1, runs
  lda target_own
  beq @done             ; neither pairs nor triplets of nothing
  lda target_least
  clc
  adc #2
  cmp target_over
  bcc @pair
@done:
    rts
@pair:
  miss
  pull 0, 1, runs
  lda target_least
  clc
  adc #3
  cmp target_over
  bcc @triplet
    rts
@triplet:
  miss
  pull 0, 0, (runs) + 1
  pull 1, 1, (runs) + 1
  rts
.endmacro

.proc pull_0
  pull_runs 0
.endproc

.proc pull_1
  pull_runs 1
.endproc

.proc pull_2
  pull_runs 2
.endproc

;; target – the costs of a suit of numbers, for every number of melds and pairs.
; in:       A zp hand[34] melded[34]   (A: the suit, m p s)
; requires: A <= 2, sound_tiles
; out:      suits[40]   (of the suit only)
; clobbers: A X Y N V Z C suit_slot target_place target_left target_own target_over target_least target_missing target_from target_to target_alive_from target_alive_to target_live target_run target_last target_block target_at target_states[180] target_alive[18]
; stack:    4
; cycles:   630..70000   (of nothing held 640; the upper bound is estimated outward: 62960 were the most seen)
; loops:    @first 9, @last 9, @number 9, @run 3..3, @block 3..3
.proc target
  sta target_place
  asl a
  asl a
  asl a
  adc target_place      ; carry is clear
  tax                   ; nine times the suit
  adc target_place
  sta suit_slot         ; ten times
  stx target_place
  lda #0
  ldx #BLOCKS - 1
@dead:
    sta target_alive,x
    dex
    bpl @dead
  sta target_alive_from
  lda #BLOCKS
  sta target_alive_to
  ldy #STATES + 1
  sty target_to
  ldy #1
  sty target_from
  sty target_alive
  jsr clear_block
  lda #0
  sta target_states
  ; Only numbers count that are two at most from a number of the hand: runs of
  ; others are as from nothing.
  ldx target_place
  txa
  clc
  adc #NUMBERS - 1
  sta target_at         ; the suit's last number
@first:
    lda hand,x
    bne @held
    inx
    cpx target_at
    bcc @first
    beq @first
  jmp @ended
@held:
  txa
  sec
  sbc #2
  bcc @begin
  cmp target_place
  bcc @begin
    sta target_place
@begin:
  ldx target_at
@last:
    lda hand,x
    bne @end
    dex
    bpl @last           ; always: one is held
@end:
  inx
  inx
  cpx target_at
  bcc @within
    ldx target_at
@within:
  inx
  txa
  sec
  sbc target_place
  sta target_left
@number:
    ldx target_place
    lda hand,x
    sta target_own
    lda #COPIES + 1
    sec
    sbc melded,x
    sta target_over
    lda #0
    sta target_run
    ldy target_to
@run:
      lda #0
      sta target_last
@block:
        lda #0
        sta target_live
        lda target_run
        beq @possible           ; a run needs two more numbers
        lda target_left
        cmp #3
        bcc @block_done
@possible:
        lda target_last
        clc
        adc target_run
        cmp target_over
        bcs @block_done
        sta target_least
        ; three blocks before it, of runs that began two numbers before
        lda target_last
        asl a
        adc target_last         ; carry is clear
        sta target_missing
        adc target_alive_from
        sta target_block
        tax
        lda target_alive,x
        ora target_alive+1,x
        ora target_alive+2,x
        beq @block_done
        jsr clear_block
        lda target_missing
        asl a
        sta target_missing
        asl a
        asl a
        adc target_missing      ; carry is clear: at most 60; ten times the block
        adc target_from
        tax
        jsr pull_from
@second:
        jsr pull_from
@third:
        jsr pull_from
@block_done:
        lda target_live
        ldx target_alive_to
        sta target_alive,x
        inc target_alive_to
        tya
        clc
        adc #COSTS
        tay
        inc target_last
        lda target_last
        cmp #3
        bne @block
      inc target_run
      lda target_run
      cmp #3
      bne @run
    ; what came after is before the next number
    lda target_alive_from
    eor #BLOCKS
    sta target_alive_from
    eor #BLOCKS
    sta target_alive_to
    lda target_from
    ldx target_to
    sta target_to
    stx target_from
    inc target_place
    dec target_left
    beq @ended
    jmp @number
@ended:
  ; of no unfinished runs; a block from nothing is always possible somewhere
  ldy target_from
  ldx suit_slot
  lda #0
  sta suits,x
  .repeat ::COSTS - 1, i
    lda target_states + i,y     ; the entry after i: places begin at 1
    sta suits + i + 1,x
  .endrepeat
  .repeat ::MELDS, i
    lda suits + i,x
    clc
    adc #3
    cmp suits + i + 1,x
    bcs :+
      sta suits + i + 1,x
:
  .endrepeat
  .repeat ::MELDS, i
    lda suits + WITH_PAIR + i,x
    clc
    adc #3
    cmp suits + WITH_PAIR + i + 1,x
    bcs :+
      sta suits + WITH_PAIR + i + 1,x
:
    lda suits + i + 1,x
    clc
    adc #2
    cmp suits + WITH_PAIR + i + 1,x
    bcs :+
      sta suits + WITH_PAIR + i + 1,x
:
  .endrepeat
  rts
.endproc

; The states of block X with what the number adds, when it has any; then X is the next block.
.proc pull_from
  lda target_least
  cmp target_over
  bcs @done             ; more than a target may have, and so from the next blocks
  stx target_at
  ldx target_block
  lda target_alive,x
  beq @next
  ldx target_at
  lda target_run
  beq @none
  lsr a
  beq @one
    jsr pull_2
    jmp @next
@one:
    jsr pull_1
    jmp @next
@none:
    jsr pull_0
@next:
  inc target_block
  inc target_least
  lda target_at
  clc
  adc #COSTS
  tax
@done:
  rts
.endproc

; A block at Y, in which no state costs less than from nothing held.
.proc clear_block
  .repeat 2, pair
    .repeat ::MELDS + 1, m
      lda #3 * m + 2 * pair + (m + pair = 0)
      sta target_states - 1 + WITH_PAIR * pair + m,y
    .endrepeat
  .endrepeat
  rts
.endproc
