; SPDX-License-Identifier: MIT
; A game that deals cards.
.include "tarot.inc"            ; the names of the routines, and CARDS

.export reset, ready, deal

.segment "HEADER"
  .byte "NES", $1A, 2, 0, 0, 0

.segment "ZEROPAGE"
dealt: .res 1                   ; cards of the deck that are on the table

.segment "CODE"

.proc reset
  sei
  cld
  ldx #$FF
  txs
  ; The seed: anything but four zeros, of which the register would never get out.
  ; A game takes it from the player: say, from a counter when START is pressed.
  lda #$12
  sta lfsr+0
  lda #$34
  sta lfsr+1
  lda #$56
  sta lfsr+2
  lda #$78
  sta lfsr+3
  lda #0
  sta rng                       ; no flips are left over yet
  sta flips_left
  jsr deck_init                 ; once: shuffles go on from the deck as it lies
  lda #CARDS
  sta dealt                     ; all of it is used up
.endproc
; fall through
.proc ready
  jmp ready                     ; here the game would begin
.endproc
.assert ready = reset + .sizeof(reset), error, "reset falls through to ready"

; The next card in A, 0..77; with a new shuffle when all have been dealt.
.proc deal
  ldx dealt
  cpx #CARDS
  bcc @card
    jsr shuffle
    ldx #0
@card:
  lda deck,x
  inx
  stx dealt
  rts
.endproc

.proc interrupt
  rti
.endproc

.segment "VECTORS"
  .addr interrupt, reset, interrupt
