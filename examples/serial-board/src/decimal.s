; Numbers for people.

.export to_decimal
.exportzp digits

.segment "ZEROPAGE"
digits: .res 3              ; the most significant one first

.segment "CODE"

;; to_decimal – the decimal digits of a byte.
; in:       A
; out:      digits[3]
; ensures:  100 * digits[0] + 10 * digits[1] + digits[2] == old A,
;           digits[1] <= 9, digits[2] <= 9
; clobbers: A X N V Z C
; stack:    0
; cycles:   29..139
.proc to_decimal
  ldx #0
@hundreds:
  cmp #100
  bcc @hundreds_done
  sbc #100                  ; the comparison has set the carry
  inx
  bne @hundreds             ; always: X is 1 or 2
@hundreds_done:
  stx digits
  ldx #0
@tens:
  cmp #10
  bcc @tens_done
  sbc #10                   ; the comparison has set the carry
  inx
  bne @tens                 ; always: X is 1..9
@tens_done:
  stx digits+1
  sta digits+2
  rts
.endproc
