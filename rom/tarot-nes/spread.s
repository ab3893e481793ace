; SPDX-License-Identifier: MIT
; Three cards, which are turned over one at a time.
.include "tarot/tarot.inc"
.include "nes.inc"
.include "game.inc"

CARDS_ROW    = 2
NAMES_ROW    = 11       ; two rows for each card
HELP_ROW     = 17
TURNS_FOR    = 6        ; frames
LONGEST      = FIRST_MINOR + 3 * RANKS + 11 ; the Knight of Pentacles: 19 letters

.segment "BSS"
turned:  .res 1         ; cards that lie face up, 0..3
showing: .res 1         ; the one that is being shown
waited:  .res 1

.segment "CODE"

; The next shuffle, all cards face down.
.proc shuffle_and_show
  jsr next_shuffle
  jsr sound_shuffle
  lda #0
  sta turned
.endproc
; fall through

; Show the cards of places 0 to 2, as many of them face up as turned says.
.proc show_spread
  lda #SCREEN_SPREAD
  sta screen
  jsr picture_off
  ; each card has a palette of its own: there are too few for all suits
  lda #>(COLOURS + NAME_COLUMNS / 4 * (CARDS_ROW + TOP) / 4)
  sta PPU_ADDR
  lda #<(COLOURS + NAME_COLUMNS / 4 * (CARDS_ROW + TOP) / 4)
  sta PPU_ADDR
  ldy #CARD_ROWS / 4
@row:
    ldx #0
@colour:
      lda card_colours,x
      sta PPU_DATA
      inx
      cpx #NAME_COLUMNS / 4
      bne @colour
    dey
    bne @row
  jsr line_seed
  lda #0
  jsr put_line
  lda #0
  sta showing
@card:
    lda showing
    cmp turned
    bcs @face_down
      jsr face_of_showing
      jsr put_face
      jsr line_of_name
      jsr put_line
      jsr line_of_orientation
      jsr put_line
      jmp @next
@face_down:
      jsr make_back
      jsr place_of_showing
      jsr put_card
@next:
    inc showing
    lda showing
    cmp #SPREAD
    bcc @card
  jsr line_of_help
  jsr put_line
  jmp picture_on
.endproc
.assert show_spread = shuffle_and_show + .sizeof(shuffle_and_show), error, "shuffle_and_show falls through to show_spread"
.assert (CARDS_ROW + TOP) .mod 4 = 0, error, "a byte has the colours of four rows"

; What the button A does on the spread.
; in: A = the button
.proc spread_key
  cmp #PAD_A
  beq @turn
  cmp #PAD_SELECT
  beq @rest
  cmp #PAD_START
  beq @shuffle
  cmp #PAD_B
  beq @title
  rts
@turn:
  jmp turn_card
@rest:
  jmp show_rest
@shuffle:
  jmp shuffle_and_show
@title:
  jmp show_title
.endproc

; Turn the next card over, if there is one.  What a frame brings is made before it.
.proc turn_card
  lda turned
  cmp #SPREAD
  bcs @none
  sta showing
  jsr make_edge
  jsr place_of_showing
  jsr wait_frame
  jsr put_card
  jsr scroll_home
  jsr sound_turn
  jsr face_of_showing
  lda #TURNS_FOR
  sta waited
@turning:
    jsr wait_frame
    dec waited
    bne @turning
  jsr put_face
  jsr scroll_home
  jsr line_of_name
  jsr show_line
  jsr line_of_orientation
  jsr show_line
  inc turned
  jsr line_of_help
  jsr show_line
@none:
  rts
.endproc

; place = that of the card that is being shown.
.proc place_of_showing
  ldx showing
  lda card_columns,x
  sta place+1
  lda #CARDS_ROW
  sta place+0
  rts
.endproc

; face = the card that is being shown.
.proc face_of_showing
  jsr place_of_showing
  ldy showing
  ldx orientation,y
  lda deck,y
  jmp make_face
.endproc

; Put the face there, in its colours; about 1,500 cycles.
.proc put_face
  lda group
  ldx showing
  inx
  jsr put_palette
  jmp put_card
.endproc

; "1 THE FOOL"; A = the row.
.proc line_of_name
  lda #0
  jsr line_begin
  lda showing
  clc
  adc #'1'
  jsr line_sign
  ldx showing
  lda deck,x
  cmp #LONGEST
  beq @name
    inc line_end        ; a blank
@name:
  jsr line_name
  lda showing
  asl a
  ; clc ; cleared by asl
  adc #NAMES_ROW
  rts
.endproc

; "UPRIGHT" below the name; A = the row.
.proc line_of_orientation
  lda #2
  jsr line_begin
  ldx showing
  lda orientation,x
  jsr line_orientation
  lda showing
  asl a
  ; clc ; cleared by asl
  adc #NAMES_ROW + 1
  rts
.endproc

; What may be done next; A = the row.
.proc line_of_help
  lda #1
  jsr line_begin
  lda #<helps
  sta text+0
  lda #>helps
  sta text+1
  lda turned
  cmp #SPREAD
  lda #0
  rol a                 ; 1 once all are turned
  jsr line_nth
  lda #HELP_ROW
  rts
.endproc

;; line_seed – the line with seed and number of the shuffle: all that a command needs.
; in:       seed[4] shuffles[2]
; out:      line[20] line_end number[2]
; clobbers: A X Y N V Z C leading text
.proc line_seed
  lda #0
  jsr line_begin
  lda #<seed_word
  sta text+0
  lda #>seed_word
  sta text+1
  jsr line_text
  ldy #0
@byte:
    lda seed,y
    jsr line_hex
    iny
    cpy #4
    bne @byte
  lda #' '
  jsr line_sign
  lda #'#'
  jsr line_sign
  lda shuffles+0
  sta number+0
  lda shuffles+1
  sta number+1
  jmp line_number
.endproc

.segment "RODATA"
seed_word:
  .asciiz "SEED "
helps:
  .asciiz "A: TURN A CARD"
  .asciiz "SELECT: THE REST"
card_columns:
  .byte 0, CARD_COLUMNS + 1, 2 * (CARD_COLUMNS + 1)
; Of 32 columns, four a byte: card 0 in palette 1, card 1 in 2, card 2 in 3.
card_colours:
  .byte $00, $44, $55, $AA, $AA, $FF, $33, $00
