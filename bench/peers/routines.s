; Ten small routines that two provers are asked about: compare.py. claims.py says the same in Python.
; Those with _lsr and _by_v in their names do not do what their contracts say, as real code may.

.segment "ZEROPAGE"
.exportzp b, product, quotient, total, addend, lfsr
b:        .res 1
product:  .res 2
quotient: .res 1
total:    .res 4
addend:   .res 4
lfsr:     .res 2

.segment "BSS"
.export buffer
buffer: .res 32

.segment "CODE"
.export maximum, average, average_lsr, add_long, add_bcd, saturate_by_v, multiply, divide, fill, shift

;; maximum – the larger of two bytes.
; in:       A b
; out:      A
; ensures:  A >= old A, A >= b, A == old A or A == b
; clobbers: N Z C
.proc maximum
  cmp b
  bcs @done
  lda b
@done:
  rts
.endproc

;; average – the mean of two bytes, without a remainder.
; in:       A b
; out:      A
; ensures:  A == (old A + b) >> 1
; clobbers: N V Z C
.proc average
  clc
  adc b
  ror a
  rts
.endproc

;; average_lsr – the same, but the carry is lost.
; in:       A b
; out:      A
; ensures:  A == (old A + b) >> 1
; clobbers: N V Z C
.proc average_lsr
  clc
  adc b
  lsr a
  rts
.endproc

;; add_long – add 32 bits.
; in:       total[4] addend[4]
; out:      total[4]
; ensures:  total == (old total + addend) % $100000000
; clobbers: A N V Z C
.proc add_long
  clc
  lda total
  adc addend
  sta total
  lda total+1
  adc addend+1
  sta total+1
  lda total+2
  adc addend+2
  sta total+2
  lda total+3
  adc addend+3
  sta total+3
  rts
.endproc

;; add_bcd – add two decimal digits to two others.
; in:       A b
; requires: A % 16 < 10, A < $A0, b % 16 < 10, b < $A0
; out:      A
; ensures:  (A >> 4) * 10 + A % 16 == ((old A >> 4) * 10 + old A % 16 + (b >> 4) * 10 + b % 16) % 100
; clobbers: N V Z C
.proc add_bcd
  sed
  clc
  adc b
  cld
  rts
.endproc

;; saturate_by_v – a sum that stays at 255, but it is V that is asked and not the carry.
; in:       A b
; out:      A
; ensures:  old A + b <= 255 -> A == old A + b, old A + b > 255 -> A == 255
; clobbers: N V Z C
.proc saturate_by_v
  clc
  adc b
  bvc @done
  lda #255
@done:
  rts
.endproc

;; multiply – a product of 16 bits, by shifts.
; in:       A b
; out:      product[2]
; ensures:  product == old A * b
; clobbers: A X N V Z C
.proc multiply
  sta product
  lda #0
  ldx #8
  lsr product
@step:
  bcc @skip
  clc
  adc b
@skip:
  ror a
  ror product
  dex
  bne @step
  sta product+1
  rts
.endproc

;; divide – quotient and remainder.
; in:       A b
; requires: b >= 1
; out:      A quotient
; ensures:  quotient * b + A == old A, A < b
; clobbers: X N V Z C
.proc divide
  sta quotient
  lda #0
  ldx #8
@step:
  asl quotient
  rol a
  bcs @subtract
  cmp b
  bcc @next
@subtract:
  sbc b
  inc quotient
@next:
  dex
  bne @step
  rts
.endproc

;; fill – the first X bytes of the buffer become A, and no others.
; in:       A X buffer[32]
; requires: X <= 32
; out:      buffer[32]
; ensures:  all j in 0..31: buffer[j] == A or j >= old X,
;           all j in 0..31: buffer[j] == old buffer[j] or j < old X
; clobbers: X N Z C
.proc fill
  cpx #0
  beq @done
@next:
  dex
  sta buffer,x
  bne @next
@done:
  rts
.endproc

;; shift – eight steps of a Galois LFSR; it never stops at 0.
; in:       lfsr[2]
; requires: lfsr >= 1
; out:      lfsr[2]
; ensures:  lfsr >= 1
; clobbers: A X N Z C
.proc shift
  ldx #8
@step:
  lsr lfsr+1
  ror lfsr
  bcc @skip
  lda lfsr+1
  eor #$B4
  sta lfsr+1
@skip:
  dex
  bne @step
  rts
.endproc
