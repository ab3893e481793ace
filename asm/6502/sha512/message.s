; SPDX-License-Identifier: MIT
; Whole messages.
.include "sha512/sha512.inc"
.import sha512_mix, sha512_bits

MARK = $80              ; the bit that ends the message
LENGTH_AT = BLOCK - 3   ; its length in bits ends the last block; 24 bits do

.segment "CODE"

;; sha512 – hash a message.
; in:       zp sha512_message[2] sha512_length[2] message   (255 blocks with their padding at most)
; pointer:  sha512_message -> message[sha512_length <= 32623]
; out:      sha512_digest[64] zp sha512_message[2] sha512_length[2]
; clobbers: callees, sha512_buffer[128] sha512_bits[3]
; stack:    4
; cycles:   140773..
; loops:    @block 255, @copy 128, clear_buffer@byte 129
.proc sha512
  lda sha512_length
  sta sha512_bits
  lda sha512_length+1
  sta sha512_bits+1
  lda #0
  sta sha512_bits+2
  ldx #3
@eightfold:
    asl sha512_bits
    rol sha512_bits+1
    rol sha512_bits+2
    dex
    bne @eightfold
  jsr sha512_start
@block:
  lda sha512_length
  sec
  sbc #BLOCK
  tax
  lda sha512_length+1
  sbc #0
  bcc @rest
  sta sha512_length+1
  stx sha512_length
  jsr sha512_block
  lda sha512_message
  clc
  adc #BLOCK
  sta sha512_message
  bcc @block
  inc sha512_message+1
  bne @block            ; always
@rest:
  ; less than a block is left: it goes to the buffer, and the mark behind it
  ldy sha512_length
  lda #MARK
  sta sha512_buffer,y
@copy:
  dey
  bmi @copied
  lda (sha512_message),y
  sta sha512_buffer,y
  jmp @copy
@copied:
  ldx #<sha512_buffer
  stx sha512_message
  ldx #>sha512_buffer
  stx sha512_message+1
  ldy sha512_length
  iny
  cpy #BLOCK - 2 * WORD + 1
  bcc @fits
  ; no room for the length: it gets a block of its own
  jsr clear_buffer
  jsr sha512_block
  ldy #0
@fits:
  jsr clear_buffer
  lda sha512_bits
  sta sha512_buffer + LENGTH_AT + 2
  lda sha512_bits+1
  sta sha512_buffer + LENGTH_AT + 1
  lda sha512_bits+2
  sta sha512_buffer + LENGTH_AT
  jsr sha512_block
  jmp sha512_finish
.endproc

; Zeros in the buffer from Y on.
.proc clear_buffer
  lda #0
@byte:
    cpy #BLOCK
    beq @done
    sta sha512_buffer,y
    iny
    bne @byte           ; always
@done:
  rts
.endproc

;; sha512_of_128 – hash a message of 128 bytes, whose padding is always the same block.
; in:       zp sha512_message[2] block
; pointer:  sha512_message -> block[128]
; out:      sha512_digest[64]
; clobbers: callees
; stack:    4
; cycles:   229848..229975
.proc sha512_of_128
  jsr sha512_start
  jsr sha512_block
@padding:
  ldx #ROUNDS - 1
@byte:
  .repeat ::WORD, i
    lda PLANE sha512_padding, i, x
    sta PLANE sha512_wk, i, x
  .endrepeat
    dex
    bpl @byte
  .assert >* = >@byte, lderror, "the loop must not cross a page"
  jsr sha512_mix
.endproc
; fall through
;; sha512_finish – the hash as a digest.
; in:       sha512_h[64]
; out:      sha512_digest[64]
; clobbers: A X N V Z C
; stack:    0
; cycles:   671 constant
.proc sha512_finish
  ldx #DIGEST - WORD
@word:
  .repeat ::WORD, i
    lda sha512_h + i,x
    sta sha512_digest + 7 - i,x
  .endrepeat
    txa
    sec
    sbc #WORD
    tax
    bcs @word
  .assert >* = >@word, lderror, "the loop must not cross a page"
  rts
.endproc
.assert sha512_finish = sha512_of_128 + .sizeof(sha512_of_128), error, "sha512_of_128 falls through to sha512_finish"
