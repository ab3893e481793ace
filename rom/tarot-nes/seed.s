; SPDX-License-Identifier: MIT
; A seed is typed: eight hexadecimal digits and a pointer.
.include "tarot/tarot.inc"
.include "nes.inc"
.include "game.inc"
.include "tarot_names.inc"

DIGIT_ROW   = 2
REFUSED_ROW = 14

.segment "BSS"
pointer: .res 1         ; the digit, 0..7; on the rest: the place in the deck
refused: .res 1         ; nonzero while the message is there
step:    .res 1

.segment "CODE"

; Show the digits of the last seed.
.proc show_seed
  lda #SCREEN_SEED
  sta screen
  lda #0
  sta pointer
  sta refused
  jsr picture_off
  lda #<texts
  sta text+0
  lda #>texts
  sta text+1
  jsr put_texts
  jsr lines_digits
  jsr put_line
  jsr line_pointer
  jsr put_line
  jmp picture_on
.endproc

; The digits as a line; A = its row.
.proc lines_digits
  lda #1
  jsr line_begin
  ldy #0
@byte:
    lda seed,y
    jsr line_hex
    iny
    cpy #4
    bne @byte
  ; 8 digits from column 1 on: move each to column 2, 4, .. 16, the last first
  ldx #SEED_DIGITS - 1
  ldy #2 * SEED_DIGITS
@move:
    lda line+1,x
    sta line,y
    dey
    lda #' '
    sta line,y
    dey
    dex
    bpl @move
  lda #DIGIT_ROW
  rts
.endproc

; The pointer as a line; A = its row.
.proc line_pointer
  lda pointer
  asl a
  adc #2                ; clc ; cleared by asl
  jsr line_begin
  lda #TILE_POINTER_UP
  jsr line_sign
  lda #DIGIT_ROW + 1
  rts
.endproc

; What the button A does while a seed is typed.
; in: A = the button
.proc seed_key
  ldx refused
  beq @look
    pha
    jsr take_back
    pla
@look:
  cmp #PAD_B
  beq @title
  cmp #PAD_START
  beq @start
  cmp #PAD_LEFT
  beq @left
  cmp #PAD_RIGHT
  beq @right
  cmp #PAD_UP
  beq @up
  cmp #PAD_DOWN
  beq @down
  rts
@title:
  jmp show_title
@start:
  lda seed+0
  ora seed+1
  ora seed+2
  ora seed+3
  beq @refuse
  jsr begin_deck
  jmp shuffle_and_show
@refuse:
  jmp refuse
@left:
  lda pointer
  beq @end
  dec pointer
  jmp @point
@right:
  lda pointer
  cmp #SEED_DIGITS - 1
  beq @end
  inc pointer
@point:
  jsr line_pointer
  jmp show_line
@up:
  lda #$11
  bne @change           ; always
@down:
  lda #$FF              ; -1 in the low digit, and in the high one without its borrow
@change:
  jsr change_digit
  jsr lines_digits
  jmp show_line
@end:
  rts
.endproc

; Put the line into row A at the next vertical blank.
.proc show_line
  sta step
  jsr wait_frame
  lda step
  jsr put_line
  jmp scroll_home
.endproc

; in: A = $11 for one more, $FF for one less
.proc change_digit
  sta step
  lda pointer
  lsr a
  tax
  bcs @low
    lda step
    and #$F0
    clc
    adc seed,x
    sta seed,x
    rts
@low:
  lda seed,x
  and #$F0
  pha
  lda seed,x
  clc
  adc step
  and #$0F
  sta seed,x
  pla
  ora seed,x
  sta seed,x
  rts
.endproc

; 00000000 never changes: say so, and stay.
.proc refuse
  jsr sound_refused
  lda #1
  sta refused
  jsr wait_frame
  lda #<refusal
  sta text+0
  lda #>refusal
  sta text+1
  jsr put_texts
  jmp scroll_home
.endproc

; Take the message back.
.proc take_back
  lda #0
  sta refused
  jsr line_begin
  jsr wait_frame
  lda #REFUSED_ROW
  jsr put_line
  lda #REFUSED_ROW + 2
  jsr put_line
  jmp scroll_home
.endproc

.segment "RODATA"
texts:
  .byte 0, 4, "TYPE A SEED", 0
  .byte 5, 1, "LEFT RIGHT: CHOOSE", 0
  .byte 7, 1, "UP DOWN: CHANGE", 0
  .byte 9, 1, "START: SHUFFLE", 0
  .byte 11, 1, "B: BACK", 0
  .byte $FF
refusal:
  .byte REFUSED_ROW, 1, "00000000 IS REFUSED", 0
  .byte REFUSED_ROW + 2, 1, "IT NEVER CHANGES", 0
  .byte $FF
