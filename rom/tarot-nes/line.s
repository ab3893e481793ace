; SPDX-License-Identifier: MIT
; Text.  A line is put together in RAM and then put on the screen as a whole: the
; vertical blank is too short for looking up names.
.include "nes.inc"
.include "game.inc"

.segment "ZEROPAGE"
text: .res 2            ; what is being read

.segment "BSS"
line:     .res COLUMNS  ; tiles, which are numbered as ASCII is
line_end: .res 1        ; the column for the next sign
number:   .res 2        ; low byte first
leading:  .res 1        ; nonzero once a digit was put

.segment "CODE"

;; line_begin – a line of blanks; signs are added from column A on.
; in:       A
; requires: A < COLUMNS
; out:      line[20] line_end
; clobbers: A X N Z
; stack:    0
.proc line_begin
  sta line_end
  lda #' '
  ldx #COLUMNS - 1
@blank:
    sta line,x
    dex
    bpl @blank
  rts
.endproc

;; line_sign – add the sign A.
; in:       A line_end
; requires: line_end < COLUMNS
; out:      line[20] line_end
; clobbers: X N Z
; stack:    0
.proc line_sign
  ldx line_end
  sta line,x
  inc line_end
  rts
.endproc

; Add text number A of the list of texts at text.
; in: A text line_end
.proc line_nth
  tax
  ldy #0
@text:
    dex
    bmi line_text
@sign:
      lda (text),y
      inc text+0
      bne @same_page
        inc text+1
@same_page:
      cmp #0
      bne @sign
    beq @text           ; always
.endproc

; Add the text at text, which ends with a 0.
; in: text line_end
.proc line_text
  ldy #0
  ldx line_end
@sign:
    lda (text),y
    beq @end
    sta line,x
    inx
    iny
    bne @sign           ; always
@end:
  stx line_end
  rts
.endproc

;; line_hex – add the byte A as two hexadecimal digits.
; in:       A line_end
; requires: line_end <= COLUMNS - 2
; out:      line[20] line_end
; clobbers: A X N Z C V
; stack:    5
.proc line_hex
  pha
  lsr a
  lsr a
  lsr a
  lsr a
  jsr line_digit
  pla
  and #$0F
.endproc
; fall through

; in: A = 0..15
.proc line_digit
  cmp #10
  bcc @decimal
    adc #'A' - '9' - 2  ; and the carry
@decimal:
  adc #'0'
  jmp line_sign
.endproc
.assert line_digit = line_hex + .sizeof(line_hex), error, "line_hex falls through to line_digit"

;; line_number – add number in decimal, without zeros in front.
; in:       number[2] line_end
; requires: line_end <= COLUMNS - 5
; out:      line[20] line_end number[2]
; clobbers: A X Y N Z C V leading
; stack:    5
.proc line_number
  ldy #0
  sty leading
@digit:
    ldx #0
@subtract:
      lda number+0
      sec
      sbc powers_low,y
      pha
      lda number+1
      sbc powers_high,y
      bcc @less
      sta number+1
      pla
      sta number+0
      inx
      bne @subtract     ; always
@less:
    pla
    txa
    ora leading
    beq @next
      sta leading
      txa
      jsr line_digit
@next:
    iny
    cpy #4
    bne @digit
  lda number+0
  jmp line_digit
.endproc

;; put_line – put the line into row A of the screen.
; in:       A line[20]
; requires: A < ROWS
; out:      PPU_ADDR[1] PPU_DATA[1]
; clobbers: A X N Z C V point_low
; stack:    3
.proc put_line
  ldx #0
  jsr point
@sign:
    lda line,x
    sta PPU_DATA
    inx
    cpx #COLUMNS
    bne @sign
  rts
.endproc

; Put texts on the screen: for each row, column, signs and a 0; at the end $FF.
.proc put_texts
  ldy #0
@text:
    lda (text),y
    bmi @end
    iny
    pha
    lda (text),y
    iny
    tax
    pla
    jsr point
@sign:
      lda (text),y
      iny               ; a list is shorter than a page
      cmp #0
      beq @text
      sta PPU_DATA
      bne @sign         ; always
@end:
  rts
.endproc

.segment "RODATA"
powers_low:
  .lobytes 10000, 1000, 100, 10
powers_high:
  .hibytes 10000, 1000, 100, 10
