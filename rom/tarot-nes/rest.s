; SPDX-License-Identifier: MIT
; The remaining cards, five in a row, and a pointer with the name of one of them.
.include "tarot/tarot.inc"
.include "nes.inc"
.include "game.inc"
.include "tarot_names.inc"

IN_A_ROW   = 5
WIDTH      = 4          ; tiles of a card in the list
LIST_ROW   = 1
NAME_ROW   = 16

.segment "BSS"
listed:    .res 1       ; the place that is being listed
list_row:  .res 1
list_left: .res 1       ; cards left in the row
was:       .res 1       ; where the pointer was

.segment "CODE"

; Show the cards of places 3 to 77.
.proc show_rest
  lda #SCREEN_REST
  sta screen
  lda #SPREAD
  sta pointer
  sta listed
  lda #LIST_ROW
  sta list_row
  jsr picture_off
  jsr line_seed
  lda #0
  jsr put_line
@row:
    lda list_row
    ldx #0
    jsr point
    lda #IN_A_ROW
    sta list_left
@card:
      jsr put_listed
      inc listed
      dec list_left
      bne @card
    inc list_row
    lda listed
    cmp #CARDS
    bne @row
  jsr line_card
  jsr put_line
  jsr line_of_place
  jsr put_line
  jmp picture_on
.endproc
.assert (CARDS - SPREAD) .mod IN_A_ROW = 0, error, "the rows of the list are full"

; The four tiles of the card at place listed.
.proc put_listed
  ldx listed
  lda deck,x
  jsr card_parts
  ldx #' '
  lda listed
  cmp pointer
  bne @no_pointer
    ldx #TILE_POINTER_RIGHT
@no_pointer:
  stx PPU_DATA
  lda group
  clc
  adc #TILE_SMALL_MAJOR
  ldx listed
  ldy orientation,x
  bne @reversed
    ldx rank_tiles+0
    stx PPU_DATA
    ldx rank_tiles+1
    stx PPU_DATA
    sta PPU_DATA
    rts
@reversed:
  eor #TURNED
  sta PPU_DATA
  lda rank_tiles+1
  eor #TURNED
  sta PPU_DATA
  lda rank_tiles+0
  eor #TURNED
  sta PPU_DATA
  rts
.endproc

; The name of the card at the pointer; A = the row.
.proc line_card
  lda #0
  jsr line_begin
  ldx pointer
  lda deck,x
  jsr line_name
  lda #NAME_ROW
  rts
.endproc

; "UPRIGHT", and its place from 1 on; A = the row.
.proc line_of_place
  lda #0
  jsr line_begin
  ldx pointer
  lda orientation,x
  jsr line_orientation
  lda #12
  sta line_end
  lda #<card_word
  sta text+0
  lda #>card_word
  sta text+1
  jsr line_text
  ldx pointer
  inx
  stx number+0
  lda #0
  sta number+1
  jsr line_number
  lda #NAME_ROW + 1
  rts
.endproc

; What the button A does on the rest.
; in: A = the button
.proc rest_key
  ldx #3
@direction:
    cmp directions,x
    beq @move
    dex
    bpl @direction
  cmp #PAD_START
  beq @shuffle
  cmp #PAD_B
  beq @spread
  cmp #PAD_SELECT
  beq @spread
  rts
@shuffle:
  jmp shuffle_and_show
@spread:
  jmp show_spread
@move:
  lda pointer
  clc
  adc steps,x
  cmp #SPREAD
  bcc @nothing
  cmp #CARDS
  bcs @nothing
  ldx pointer
  stx was
  sta pointer
  jsr line_card
  jsr wait_frame
  lda was
  ldy #' '
  jsr put_pointer
  lda pointer
  ldy #TILE_POINTER_RIGHT
  jsr put_pointer
  lda #NAME_ROW
  jsr put_line
  jsr scroll_home
  jsr line_of_place
  jmp show_line
@nothing:
  rts
.endproc

; in: A = a place in the deck, Y = the tile to be put before it
.proc put_pointer
  ldx #LIST_ROW
  sec
  sbc #SPREAD
@row:
    cmp #IN_A_ROW
    bcc @found
    inx
    ; sec ; set by cmp
    sbc #IN_A_ROW
    bcs @row            ; always
@found:
  asl a
  asl a                 ; WIDTH
  stx list_row
  tax
  lda list_row
  jsr point
  sty PPU_DATA
  rts
.endproc
.assert WIDTH = 4, error, "two shifts multiply by the width"

.segment "RODATA"
card_word:
  .asciiz "CARD "
directions:
  .byte PAD_LEFT, PAD_RIGHT, PAD_UP, PAD_DOWN
steps:
  .byte <-1, 1, <-IN_A_ROW, IN_A_ROW
