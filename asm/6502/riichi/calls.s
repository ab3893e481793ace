; SPDX-License-Identifier: MIT
; Complete hands, and what may be called.
.include "riichi/riichi.inc"

CALL_PON       = $01
CALL_KAN       = $02
CALL_LOWEST    = $04    ; chii with the discard as the run's lowest tile
CALL_MIDDLE    = $08
CALL_HIGHEST   = $10
CALL_COMPLETES = $20

.segment "RODATA"
; Of each kind of the suits: runs that it may be in, by where it stands in them.
runs_with:
.repeat ::NUMBERS, number
  .byte CALL_LOWEST * (number < NUMBERS - 2) | CALL_MIDDLE * (number > 0 && number < NUMBERS - 1) | CALL_HIGHEST * (number > 1)
.endrepeat

.segment "CODE"

;; complete – whether a hand of 3k+2 tiles is complete.
; in:       zp hand[34] melded[34] melds
; requires: sound_hand
; out:      A   (1: complete, 0: not)
; ensures:  A <= 1
; clobbers: as shanten
; stack:    10
; cycles:   3920..217100   (as shanten)
.proc complete
  jsr shanten
  cmp #COMPLETE
  beq @complete
    lda #0
    rts
@complete:
  lda #1
  rts
.endproc

;; call_options – what a hand of 3k+1 tiles may do with a discard.
; in:       A X zp hand[34] melded[34] melds   (A: the kind; X 1: from the left, 0: not)
; requires: A < KINDS, X <= 1, sound_hand, at_most(13), hand[A] + melded[A] <= 3
; out:      A   (bits: 0 pon, 1 kan, 2..4 chii with the discard lowest, middle, highest, 5 completes the hand)
; ensures:  A < 64
; clobbers: as complete, zp call_bits call_kind
; stack:    12
; cycles:   3970..217400   (as shanten)
; loops:    @number 3
.proc call_options
  sta call_kind
  ldy #0
  sty call_bits
  cpx #0
  beq @same             ; chii from the left only
  cmp #FIRST_HONOUR
  bcs @same
@number:
    cmp #NUMBERS
    bcc @found
    sbc #NUMBERS        ; carry is set
    bcs @number         ; always
@found:
  tax
  ldy runs_with,x
  ldx call_kind
  tya
  and #CALL_LOWEST
  beq @middle
  lda hand+1,x
  beq @middle
  lda hand+2,x
  beq @middle
    lda #CALL_LOWEST
    sta call_bits
@middle:
  tya
  and #CALL_MIDDLE
  beq @highest
  lda hand-1,x
  beq @highest
  lda hand+1,x
  beq @highest
    lda call_bits
    ora #CALL_MIDDLE
    sta call_bits
@highest:
  tya
  and #CALL_HIGHEST
  beq @same
  lda hand-2,x
  beq @same
  lda hand-1,x
  beq @same
    lda call_bits
    ora #CALL_HIGHEST
    sta call_bits
@same:
  ldx call_kind
  lda hand,x
  cmp #2
  bcc @completes
    lsr a               ; bit 0: a third one
    lda #CALL_PON
    bcc @pon
      lda #CALL_PON | CALL_KAN
@pon:
    ora call_bits
    sta call_bits
@completes:
  inc hand,x
  jsr complete
  ldx call_kind
  dec hand,x
  lsr a
  lda call_bits
  bcc @done
    ora #CALL_COMPLETES
@done:
  rts
.endproc

;; own_kans – the kans of a hand of 3k+2 tiles on its own turn.
; in:       zp hand[34] pons[34]   (pons: 1 where a pon of the kind lies beside the hand, else 0)
; requires: closed_tiles, all j in 0..33: pons[j] <= 1
; out:      kans[34]   (1: closed kan, 2: added kan, 0: none)
; ensures:  all j in 0..33: kans[j] <= 2
; clobbers: A X Y N Z C
; stack:    0
; cycles:   754..922   (721..875 where no branch crosses a page)
; loops:    @kind 34..34
.proc own_kans
  ldx #KINDS - 1
@kind:
    ldy #0
    lda hand,x
    beq @found
    cmp #COPIES
    bne @added
      iny
      bne @found        ; always
@added:
    lda pons,x
    beq @found
      ldy #2
@found:
    tya
    sta kans,x
    dex
    bpl @kind
  rts
.endproc
