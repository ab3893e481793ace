; SPDX-License-Identifier: MIT
; The title.
.include "nes.inc"
.include "game.inc"
.include "tarot_names.inc"

.segment "CODE"

; Show the title.
.proc show_title
  lda #SCREEN_TITLE
  sta screen
  jsr picture_off
  lda #<texts
  sta text+0
  lda #>texts
  sta text+1
  jsr put_texts
  jsr make_back
  lda #4
  sta place+0
  lda #0
@card:
    sta place+1
    jsr put_card
    lda place+1
    clc
    adc #CARD_COLUMNS + 1
    cmp #SPREAD * (CARD_COLUMNS + 1)
    bcc @card
  jmp picture_on
.endproc

; What the button A does on the title.
; in: A = the button
.proc title_key
  cmp #PAD_SELECT
  beq @seed
  cmp #PAD_START
  bne @nothing
  jsr seed_from_press
  jsr begin_deck
  jmp shuffle_and_show
@seed:
  jmp show_seed
@nothing:
  rts
.endproc

.segment "RODATA"
texts:
  .byte 1, 5, TILE_BIG_T + 0, TILE_BIG_T + 1, TILE_BIG_A + 0, TILE_BIG_A + 1, TILE_BIG_R + 0, TILE_BIG_R + 1
  .byte TILE_BIG_O + 0, TILE_BIG_O + 1, TILE_BIG_T + 0, TILE_BIG_T + 1, 0
  .byte 2, 5, TILE_BIG_T + 2, TILE_BIG_T + 3, TILE_BIG_A + 2, TILE_BIG_A + 3, TILE_BIG_R + 2, TILE_BIG_R + 3
  .byte TILE_BIG_O + 2, TILE_BIG_O + 3, TILE_BIG_T + 2, TILE_BIG_T + 3, 0
  .byte 3, 4
  .repeat 12
    .byte TILE_ORNAMENT
  .endrepeat
  .byte 0
  .byte 13, 3, "START: SHUFFLE", 0
  .byte 15, 1, "SELECT: TYPE A SEED", 0
  .byte 17, 6, "FAIRDECK", 0
  .byte $FF
