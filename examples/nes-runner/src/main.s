; The program: once in each frame the pad is read and the player moves.

.import read_pad, move_player, clear_sprites, draw_player, load_palette, screen_on
.export nmi, reset, irq, main_loop
.exportzp frames

OAMADDR   = $2003
OAMDMA    = $4014
PPUSTATUS = $2002
PPUCTRL   = $2000

.segment "ZEROPAGE"
frames: .res 1                     ; how often the vertical blank came

.segment "CODE"

; The vertical blank: the sprites go to the PPU, everything else is left to the main loop.
.proc nmi
  pha
  lda #0
  sta OAMADDR
  lda #$02                         ; the page of the sprites
  sta OAMDMA
  inc frames
  pla
  rti
.endproc

.proc irq
  rti
.endproc

.proc reset
  sei
  cld
  ldx #$FF
  txs
  inx
  stx PPUCTRL
  stx frames
@warm:                             ; the PPU is ready after two frames
  bit PPUSTATUS
  bpl @warm
@ready:
  bit PPUSTATUS
  bpl @ready
  jsr clear_sprites
  jsr load_palette
  jsr screen_on
.endproc

.proc main_loop
  jsr read_pad
  jsr move_player
  jsr draw_player
  lda frames
@wait:
  cmp frames
  beq @wait
  jmp main_loop
.endproc
