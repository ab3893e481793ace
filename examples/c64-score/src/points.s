; The score: four decimal digits in two bytes, the lower ones first.

.export add_points
.exportzp score

.segment "ZEROPAGE"
score:  .res 2

.segment "CODE"

;; add_points – the score grows; at 9999 it stays.
; in:       A D score[2]
; requires: D == 0, A % 16 < 10, A < $9A,
;           score[0] % 16 < 10, score[0] < $9A, score[1] % 16 < 10, score[1] < $9A
; out:      score[2]
; clobbers: A N V Z C
; stack:    0
; cycles:   29..36
.proc add_points
  sed
  clc
  adc score
  sta score
  lda score + 1
  adc #0
  sta score + 1
  cld
  bcc @done
  lda #$99
  sta score
  sta score + 1
@done:
  rts
.endproc
