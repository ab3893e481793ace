.export load_palette, screen_on

PPUCTRL   = $2000
PPUMASK   = $2001
PPUSCROLL = $2005
PPUADDR   = $2006
PPUDATA   = $2007

.segment "CODE"

; The PPU takes the high byte of an address first; its registers remember what was written last, so
; the order is what counts. The test watches it.
.proc load_palette
  lda #$3F
  sta PPUADDR
  ldx #$00
  stx PPUADDR
@next:
  lda colours,x
  sta PPUDATA
  inx
  cpx #colours_end - colours
  bne @next
  rts
.endproc

.proc screen_on
  lda #0
  sta PPUSCROLL
  sta PPUSCROLL
  lda #$80                         ; an NMI in each vertical blank
  sta PPUCTRL
  lda #$1E                         ; background and sprites
  sta PPUMASK
  rts
.endproc

colours:
  .byte $0F, $30, $30, $30,  $0F, $30, $30, $30,  $0F, $30, $30, $30,  $0F, $30, $30, $30
  .byte $0F, $27, $27, $27
colours_end:
