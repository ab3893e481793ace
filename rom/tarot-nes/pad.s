; SPDX-License-Identifier: MIT
; The controller, and chance from the moment at which somebody presses a button.
;
; A port is read once.  Reading until two reads agree is for programs that play
; samples: the DMC's DMA can take a bit away, and here the DMC is never switched on.
;
; How much chance is in a press?  It is timed to 54 cycles (30 microseconds), so
; if it may fall anywhere within one second, there are 33,000 moments: 15 bits.
; Who waits longer gives a bit more, who wants to choose the deck gives less.  The
; number of frames since the machine was switched on is stirred in because it costs
; nothing.  Emulators that look at the buttons once a frame leave 60 moments in a
; second: 6 bits.  Every further seed adds as much again, until the register's 32
; bits are full of it.  Of the 78! orders of the deck (382 bits) it can never reach
; more than 2^32-1.
.include "nes.inc"
.include "game.inc"

.segment "ZEROPAGE"
buttons: .res 1         ; that are held

.segment "BSS"
press: .res 4           ; polls waited, most significant byte first; frames
waits: .res 2           ; how often wait_for_press was called, low byte first

.segment "CODE"

;; read_pad – the buttons that are held, as bits.
; in:       volatile PAD[1]
; out:      A PAD[1] zp buttons
; ensures:  A == buttons
; clobbers: N Z C
; stack:    0
.proc read_pad
  lda #1
  sta PAD               ; while this is 1 the controller takes up its buttons
  sta buttons           ; this 1 comes out at the top after eight bits
  lsr a
  sta PAD
@bit:
    lda PAD
    and #%11            ; bit 1: a controller at the Famicom's expansion port
    cmp #1
    rol buttons
    bcc @bit
  .assert >* = >@bit, lderror, "the loop must not cross a page"
  lda buttons
  rts
.endproc

; Z is clear if some button is held.
.macro any_button
  lda #1
  sta PAD
  lsr a
  sta PAD
  lda PAD
  .repeat 7
    ora PAD
  .endrepeat
  and #%11
.endmacro

;; first_button – of the buttons that are held, the one that counts; 0 if none is.
; in:       volatile PAD[1]
; out:      A PAD[1] zp buttons
; clobbers: X N Z C
; stack:    2
.proc first_button
  jsr read_pad
  ldx #0
@button:
    lda first_buttons,x
    and buttons
    bne @found
    inx
    cpx #8
    bne @button
  lda #0
@found:
  rts
.endproc

; Wait until no button is held, then count until one is pressed.
; out: A = the button, press
.proc wait_for_press
  inc waits+0
  bne @held
    inc waits+1
@held:
  ldx #0
@released:              ; 256 times in a row, for contacts bounce
    any_button
    bne @held
    dex
    bne @released
  stx press+0
  stx press+1
@count:                 ; X: the low byte; 24 bits last for eight minutes
    inx
    bne @poll
      inc press+1
      bne @poll
        inc press+0
@poll:
    any_button
    beq @count
  stx press+2
  jsr first_button
  beq @bounced
  ldx frames
  stx press+3
  rts
@bounced:
  ldx press+2
  jmp @count
.endproc

.segment "RODATA"
first_buttons:
  .byte PAD_A, PAD_B, PAD_SELECT, PAD_START, PAD_RIGHT, PAD_LEFT, PAD_UP, PAD_DOWN
