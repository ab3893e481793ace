.export read_pad
.exportzp keys

JOY1 = $4016

.segment "ZEROPAGE"
keys: .res 1                       ; A B select start up down left right, from bit 7

.segment "CODE"

;; read_pad – reads the first controller.
; in:       volatile JOY1[1], keys (what was in it is shifted out)
; out:      keys, JOY1[1]
; clobbers: A X N Z C
; stack:    0
; cycles:   147                    (entry to RTS inclusive)
.proc read_pad
  lda #1
  sta JOY1                         ; the buttons are taken over while this is 1
  lsr a
  sta JOY1
  ldx #8
@button:
  lda JOY1                         ; one button for each read
  lsr a
  rol keys
  dex
  bne @button
  rts
.endproc
