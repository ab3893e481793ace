; SPDX-License-Identifier: MIT
; The tarot shuffle many times over: one program for all emulators of the 6502.
;
; The host writes seed and shuffles into the image.  sim65 runs it to its end, which writes the
; deck to standard output; other emulators stop at finished, and the host looks at the deck.
.include "tarot/tarot.inc"
.export reset, finished, seed, shuffles

; of sim65: <https://cc65.github.io/doc/sim65.html>
WRITE = $FFF7           ; write(); the length in A and X, the other arguments on the C stack
EXIT  = $FFF9           ; exit(A)

STDOUT = 1

.segment "EXEHDR"
  .byte "sim65", 2, 0   ; version of this header; a 6502
  .byte <arguments      ; where the zero page holds the C stack pointer
  .addr seed, reset     ; where the rest of the file goes, and where to begin

.segment "ZEROPAGE"
arguments: .res 2
left:      .res 3       ; shuffles still to do, least significant byte first

.segment "CODE"
seed:     .res 4        ; most significant byte first, not zero
shuffles: .res 3        ; least significant byte first

.proc reset
  cld
  ldx #$FF
  txs
  ldx #3
@seed:
    lda seed,x
    sta lfsr,x
    dex
    bpl @seed
  ldx #2
@count:
    lda shuffles,x
    sta left,x
    dex
    bpl @count
  lda #0
  sta rng
  sta flips_left
  jsr deck_init
@shuffles:
    lda left
    ora left+1
    ora left+2
    beq finished
    jsr shuffle
    lda left
    bne @low
      lda left+1
      bne @middle
        dec left+2
@middle:
      dec left+1
@low:
    dec left
    jmp @shuffles
.endproc

.proc finished
  lda #<others
  sta arguments
  lda #>others
  sta arguments+1
  lda #CARDS
  ldx #0
  jsr WRITE
  lda #0
  jmp EXIT
others:
  .addr deck, STDOUT
.endproc
