; Multiplication and the square root, each proved for all inputs: romproof prove

.export multiply, root
.exportzp factor, product, odd

.segment "ZEROPAGE"
factor:  .res 1
product: .res 2             ; low byte first
odd:     .res 1

.segment "CODE"

;; multiply – the product of two bytes.
; in:       A X
; out:      product[2]
; ensures:  product == old A * old X
; clobbers: A X N V Z C factor
; stack:    0
; cycles:   143..175
.proc multiply
  sta factor
  stx product
  lda #0
  ldx #8
  lsr product               ; the lowest bit first
@bit:
  bcc @shift
  clc
  adc factor
@shift:
  ror a                     ; the carry of the addition comes in
  ror product               ; what is done goes in, the next bit comes out
  dex
  bne @bit
  sta product+1
  rts
.endproc

;; root – the largest number whose square is not above a byte.
; in:        A
; out:       X
; ensures:   X * X <= old A, old A < (X + 1) * (X + 1)
; clobbers:  A N V Z C odd
; invariant: @step: A + X * X == old A, odd == 2 * X + 1, X <= 15
; decreases: @step: A
; stack:     0
; cycles:    19..
.proc root
  ldx #1
  stx odd
  dex
@step:
  cmp odd                   ; squares are sums of odd numbers: 1, 1 + 3, 1 + 3 + 5
  bcc @done
  sbc odd                   ; the comparison has set the carry
  inc odd
  inc odd
  inx
  bne @step                 ; always: X is 1..15
@done:
  rts
.endproc
