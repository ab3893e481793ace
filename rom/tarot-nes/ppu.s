; SPDX-License-Identifier: MIT
; The picture.  Its memory may be written while the beam returns, about 2,270
; cycles in each frame, or while the picture is off.  The NMI only counts frames:
; the main program does all writing, and waits for the count first.
.include "nes.inc"
.include "game.inc"

.segment "ZEROPAGE"
frames: .res 1          ; vertical blanks so far, modulo 256

.segment "BSS"
point_low: .res 1

.segment "CODE"

; Count a frame.
.proc nmi
  inc frames
  rti
.endproc

; Wait until the next vertical blank has just begun.
.proc wait_frame
  lda frames
@same:
    cmp frames
    beq @same
  rts
.endproc

; At the next vertical blank, switch the picture off, and empty it.
.proc picture_off
  jsr wait_frame
  lda #MASK_OFF
  sta PPU_MASK
  lda #>NAMES
  sta PPU_ADDR
  lda #<NAMES
  sta PPU_ADDR
  lda #' '
  ldy #NAME_ROWS
@row:
    ldx #NAME_COLUMNS
@tile:
      sta PPU_DATA
      dex
      bne @tile
    dey
    bne @row
  lda #0                ; the palette for text
  ldx #COLOUR_BYTES
@colour:
    sta PPU_DATA
    dex
    bne @colour
  ; fall through: that palette's colours for all
  .assert COLOURS = NAMES + NAME_COLUMNS * NAME_ROWS, error, "colours follow the tiles"
  lda #>PALETTES
  sta PPU_ADDR
  lda #<PALETTES
  sta PPU_ADDR
  ldy #4
@palette:
    ldx #0
@entry:
      lda palettes,x
      sta PPU_DATA
      inx
      cpx #PALETTE_SIZE
      bne @entry
    dey
    bne @palette
  rts
.endproc

; At the next vertical blank, switch the picture on.
.proc picture_on
  jsr wait_frame
  lda #MASK_ON
  sta PPU_MASK
.endproc
; fall through

;; scroll_home – after writing: the picture begins at the corner of the first name table.
; in:       none
; out:      PPU_CTRL[1] PPU_SCROLL[1]
; clobbers: A N Z
; stack:    0
.proc scroll_home
  ; else it would begin at the address that was written last
  lda #CTRL_NMI
  sta PPU_CTRL
  lda #0
  sta PPU_SCROLL
  sta PPU_SCROLL
  rts
.endproc
.assert scroll_home = picture_on + .sizeof(picture_on), error, "picture_on falls through to scroll_home"

;; point – what is written next goes to row A and column X of the screen.
; in:       A X
; requires: A < ROWS, X < COLUMNS
; out:      PPU_ADDR[1]
; clobbers: A N Z C V point_low
; stack:    1
; cycles:   57 constant
.proc point
  clc
  adc #TOP
  pha
  lsr a
  lsr a
  lsr a
  ora #>NAMES           ; eight rows are a page
  sta PPU_ADDR
  pla
  asl a
  asl a
  asl a
  asl a
  asl a
  sta point_low
  txa
  clc
  adc #LEFT
  ora point_low
  sta PPU_ADDR
  rts
.endproc
.assert <NAMES = 0 && NAME_COLUMNS = 32 && COLUMNS + LEFT <= 32, error, "rows begin at multiples of 32"

;; put_palette – palette X (1..3) gets the colours of group A (0 major arcana, 1..4 the suits).
; in:       A X
; requires: A <= 4, X >= 1, X <= 3
; out:      PPU_ADDR[1] PPU_DATA[1]
; clobbers: A X Y N Z C
; stack:    1
.proc put_palette
  tay
  lda #>PALETTES
  sta PPU_ADDR
  txa
  asl a
  asl a
  sta PPU_ADDR
  tya
  asl a
  asl a
  tax
  ldy #PALETTE_SIZE
@entry:
    lda palettes + PALETTE_SIZE,x
    sta PPU_DATA
    inx
    dey
    bne @entry
  rts
.endproc
.assert <PALETTES = 0, error, "a palette's number times 4 is the low byte"

.segment "RODATA"
; Background, light, dark, ink.
palettes:
  .byte $30, $21, $12, $0F    ; text, title, backs: blue
  .byte $30, $23, $14, $0F    ; major arcana: violet
  .byte $30, $29, $1A, $0F    ; wands: green
  .byte $30, $26, $16, $0F    ; cups: red
  .byte $30, $2C, $1C, $0F    ; swords: cyan
  .byte $30, $28, $18, $0F    ; pentacles: gold
