; SPDX-License-Identifier: MIT
; Cards as tiles and as text.
.include "nes.inc"
.include "game.inc"
.include "tarot_names.inc"

RANK_DIGITS = TILE_RANK_A - 10  ; the digits' tiles stand before the letters
FACE        = CARD_COLUMNS * CARD_ROWS

.segment "BSS"
face:       .res FACE   ; a card's tiles, row by row
group:      .res 1      ; 0 major arcana, 1..4 the suits
rank:       .res 1      ; within the group, from 0
rank_tiles: .res 2
place:      .res 2      ; where a card goes: row and column of its corner
face_row:   .res 1

.segment "CODE"

;; card_parts – which group the card A belongs to, its rank there and the two tiles of that.
; in:       A
; requires: A <= 77
; out:      group rank rank_tiles[2]
; ensures:  group <= 4, rank <= 21
; clobbers: A X N Z C V
; stack:    0
.proc card_parts
  ldx #0
  cmp #FIRST_MINOR
  bcs @minor
  stx group
  sta rank
  cmp #10
  bcc @single
    ldx #RANK_DIGITS
@tens:
      inx
      ; sec ; set by cmp
      sbc #10
      cmp #10
      bcs @tens
    stx rank_tiles+0
    ; clc ; cleared by cmp
    adc #RANK_DIGITS
    sta rank_tiles+1
    rts
@single:
  ; clc ; cleared by cmp
  adc #RANK_DIGITS
  sta rank_tiles+0
  lda #TILE_PAPER
  sta rank_tiles+1
  rts
@minor:
  ; sec ; set by cmp
  sbc #FIRST_MINOR
@suit:
    inx
    ; sec ; set by sbc
    sbc #RANKS
    bcs @suit
  stx group
  ; clc ; cleared by sbc
  adc #RANKS
  sta rank
  tax
  lda minor_left,x
  sta rank_tiles+0
  lda minor_right,x
  sta rank_tiles+1
  rts
.endproc

;; make_back – face = a card that lies face down.
; in:       none
; out:      face[48]
; clobbers: A X N Z C
; stack:    0
.proc make_back
  ldx #FACE - 1
@tile:
    lda framed_paper,x
    cmp #TILE_PAPER
    bne @frame
      lda #TILE_BACK
@frame:
    sta face,x
    dex
    bpl @tile
  rts
.endproc

;; make_edge – face = a card that is just turning.
; in:       none
; out:      face[48]
; clobbers: A X N Z
; stack:    0
.proc make_edge
  ldx #FACE - 1
@tile:
    lda edge,x
    sta face,x
    dex
    bpl @tile
  rts
.endproc

;; make_face – face = the card A, reversed if X is not 0; group is that of the card.
; in:       A X
; requires: A <= 77
; out:      face[48] group rank rank_tiles[2]
; clobbers: A X Y N Z C V
; stack:    3
.proc make_face
  pha
  txa
  tay
  pla
  jsr card_parts
  ldx #FACE - 1
@tile:
    lda framed_paper,x
    sta face,x
    dex
    bpl @tile
  lda rank_tiles+0
  sta face + 1*CARD_COLUMNS + 1
  lda rank_tiles+1
  sta face + 1*CARD_COLUMNS + 2
  lda group
  clc
  adc #TILE_SMALL_MAJOR
  sta face + 1*CARD_COLUMNS + 4
  lda group
  asl a
  asl a
  ; clc ; cleared by asl
  adc #TILE_EMBLEM_MAJOR
  tax
  stx face + 3*CARD_COLUMNS + 2
  inx
  stx face + 3*CARD_COLUMNS + 3
  inx
  stx face + 4*CARD_COLUMNS + 2
  inx
  stx face + 4*CARD_COLUMNS + 3
  tya
  beq @upright
    ; from the last to the first, each turned
    ldx #0
    ldy #FACE - 1
@pair:
      lda face,x
      eor #TURNED
      pha
      lda face,y
      eor #TURNED
      sta face,x
      pla
      sta face,y
      inx
      dey
      cpx #FACE / 2
      bne @pair
@upright:
  rts
.endproc

;; put_card – put the face on the screen at place; about 1,400 cycles.
; in:       face[48] place[2]
; requires: place[0] <= ROWS - CARD_ROWS, place[1] <= COLUMNS - CARD_COLUMNS
; out:      PPU_ADDR[1] PPU_DATA[1]
; clobbers: A X Y N Z C V point_low face_row
; loops:    @row 8..8, @tile 6..6
; stack:    3
.proc put_card
  lda place+0
  sta face_row
  ldy #0
@row:
    lda face_row
    ldx place+1
    jsr point
    inc face_row
    ldx #CARD_COLUMNS
@tile:
      lda face,y
      sta PPU_DATA
      iny
      dex
      bne @tile
    cpy #FACE
    bne @row
  rts
.endproc

;; line_name – add the name of the card A to the line.
; in:       A line_end
; requires: A <= 77, line_end <= 1
; out:      line[20] line_end
; clobbers: A X Y N Z C V text group rank rank_tiles
; stack:    4
.proc line_name
  jsr card_parts
  lda group
  bne @minor
    lda #<major_names
    ldx #>major_names
    ldy rank
    jmp line_name_of
@minor:
  lda #<rank_names
  ldx #>rank_names
  ldy rank
  jsr line_name_of
  lda #<of
  ldx #>of
  ldy #0
  jsr line_name_of
  lda #<suit_names
  ldx #>suit_names
  ldy group
  dey
.endproc
; fall through

; in: A and X = a list, Y = number of the text
.proc line_name_of
  sta text+0
  stx text+1
  tya
  jmp line_nth
.endproc
.assert line_name_of = line_name + .sizeof(line_name), error, "line_name falls through to line_name_of"

;; line_orientation – add UPRIGHT to the line, or REVERSED if A is not 0.
; in:       A line_end
; requires: line_end <= COLUMNS - 8
; out:      line[20] line_end
; clobbers: A X Y N Z C V text
; stack:    4
.proc line_orientation
  tay
  beq @which
    ldy #1
@which:
  lda #<orientations
  ldx #>orientations
  jmp line_name_of
.endproc

.segment "RODATA"
of:
  .asciiz " OF "
orientations:
  .asciiz "UPRIGHT"
  .asciiz "REVERSED"

; Ace to ten, page, knight, queen, king.
minor_left:
  .byte TILE_RANK_A
  .repeat 8, i
    .byte RANK_DIGITS + 2 + i
  .endrepeat
  .byte RANK_DIGITS + 1, TILE_RANK_P, TILE_RANK_K, TILE_RANK_Q, TILE_RANK_K
minor_right:
  .repeat 9
    .byte TILE_PAPER
  .endrepeat
  .byte RANK_DIGITS + 0, TILE_RANK_G, TILE_RANK_N, TILE_RANK_U, TILE_RANK_I
.assert minor_right - minor_left = RANKS, error, "a tile for each rank"

framed_paper:
  .byte TILE_FRAME_TOP_LEFT, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP, TILE_FRAME_TOP_RIGHT
  .repeat CARD_ROWS - 2
    .byte TILE_FRAME_LEFT, TILE_PAPER, TILE_PAPER, TILE_PAPER, TILE_PAPER, TILE_FRAME_RIGHT
  .endrepeat
  .byte TILE_FRAME_BOTTOM_LEFT, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM, TILE_FRAME_BOTTOM_RIGHT
.assert * - framed_paper = FACE, error, "a card is 6 by 8 tiles"
edge:
  .byte ' ', ' ', TILE_EDGE_TOP, TILE_EDGE_TOP + 1, ' ', ' '
  .repeat CARD_ROWS - 2
    .byte ' ', ' ', TILE_EDGE_SIDE, TILE_EDGE_SIDE + 1, ' ', ' '
  .endrepeat
  .byte ' ', ' ', TILE_EDGE_BOTTOM, TILE_EDGE_BOTTOM + 1, ' ', ' '
.assert * - edge = FACE, error, "a card is 6 by 8 tiles"
