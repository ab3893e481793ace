; Whoever holds the fire button when the beam is at line 100 gets a point, ten times; the score is
; written and saved.

.import add_points
.importzp score
.export main, irq, print_score, frames

CHROUT  = $FFD2
SETLFS  = $FFBA
SETNAM  = $FFBD
SAVE    = $FFD8
IRQ     = $0314             ; the vector
AFTER   = $EA31             ; where the KERNAL's own handler is
RASTER  = $D012
CONTROL = $D011
LATCH   = $D019
ENABLE  = $D01A
PORT_2  = $DC00             ; 0 in bit 4: fire
CIA_ICR = $DC0D

ROUNDS  = 10
LINE    = 100

.segment "LOADADDR"
  .word $0801

.segment "BASIC"
  .word @next, 10
  .byte $9E, "2061", 0      ; 10 SYS 2061
@next:
  .word 0
.assert * = 2061, error, "the line of BASIC leads elsewhere"

.segment "BSS"
frames: .res 1

.segment "CODE"
main:
  lda #0
  sta score
  sta score + 1
  sta frames
  sei
  lda #$7F                  ; no more interrupts of the timer
  sta CIA_ICR
  lda CIA_ICR
  lda #<irq
  sta IRQ
  lda #>irq
  sta IRQ + 1
  lda #LINE
  sta RASTER
  lda CONTROL
  and #$7F
  sta CONTROL
  lda #1
  sta LATCH
  sta ENABLE
  cli
@wait:
  lda frames
  cmp #ROUNDS
  bne @wait
  lda #0
  sta ENABLE
  jsr print_score
  jmp save_score

irq:
  lda #1
  sta LATCH
  inc frames
  lda PORT_2
  and #$10
  bne @no
  lda #1
  jsr add_points
@no:
  jmp AFTER

; four digits and the end of a line
print_score:
  lda score + 1
  jsr two_digits
  lda score
  jsr two_digits
  lda #13
  jmp CHROUT

two_digits:
  pha
  lsr a
  lsr a
  lsr a
  lsr a
  ora #'0'
  jsr CHROUT                ; destroys A
  pla
  and #15
  ora #'0'
  jmp CHROUT

; carry set: it was not saved
save_score:
  lda #1
  ldx #8
  ldy #0
  jsr SETLFS
  lda #name_end - name
  ldx #<name
  ldy #>name
  jsr SETNAM
  lda #score
  sta $FB
  lda #0
  sta $FC
  lda #$FB
  ldx #score + 2
  ldy #0
  jmp SAVE

.segment "RODATA"
name: .byte "@0:SCORE"      ; @: in place of the one before
name_end:
