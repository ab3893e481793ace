; SPDX-License-Identifier: MIT
; A tarot deck on an NES: reset, and which screen a button goes to.
;
; What others may look at is listed in docs/roms.md.  No variable is read before it
; was written here or by its owner: RAM holds anything when the machine is switched on.
.include "tarot/tarot.inc"
.include "nes.inc"
.include "game.inc"
.export reset, interrupt

.segment "BSS"
screen: .res 1

.segment "CODE"

.proc reset
  sei
  cld
  ldx #FRAME_NO_IRQ
  stx APU_FRAME
  ldx #$FF
  txs
  inx
  stx PPU_CTRL
  stx PPU_MASK
  stx APU_DMC
  ; The PPU does not listen until it has drawn a frame: wait for the second
  ; vertical blank, for the flag may be left over from before the reset.
  bit PPU_STATUS
@first:
    bit PPU_STATUS
    bpl @first
  stx frames
  stx waits+0
  stx waits+1
  stx turned
  ; Where the register starts does not matter, except at 0.
.repeat 4, i
  lda #.strat("TARO", i)
  sta lfsr + i
.endrepeat
  lda #$12
  sta seed+0
  lda #$34
  sta seed+1
  lda #$56
  sta seed+2
  lda #$78
  sta seed+3
  jsr sound_init
@second:
    bit PPU_STATUS
    bpl @second
  lda #CTRL_NMI
  sta PPU_CTRL
  jsr show_title
@again:
  jsr wait_for_press
  jsr key
  jmp @again
.endproc

; in: A = a button
.proc key
  ldx screen
  beq @title
  dex
  beq @seed
  dex
  beq @spread
  jmp rest_key
@title:
  jmp title_key
@seed:
  jmp seed_key
@spread:
  jmp spread_key
.endproc
.assert SCREEN_TITLE = 0 && SCREEN_SEED = 1 && SCREEN_SPREAD = 2 && SCREEN_REST = 3, error, "the order of the screens"

.proc interrupt
  rti
.endproc

.segment "VECTORS"
  .addr nmi, reset, interrupt

.segment "TILES"
.include "tarot_tiles.inc"
