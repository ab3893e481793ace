; SPDX-License-Identifier: MIT
; One block of the message into the hash.
.include "sha512/sha512.inc"

.segment "CODE"

;; sha512_start – begin a new hash.
; in:       none
; out:      sha512_h[64]
; clobbers: A X N Z
; stack:    0
; cycles:   903 constant
.proc sha512_start
  ldx #DIGEST - 1
@byte:
    lda sha512_initial,x
    sta sha512_h,x
    dex
    bpl @byte
  .assert >* = >@byte, lderror, "the loop must not cross a page"
  rts
.endproc

;; sha512_block – hash the block at sha512_message.
; in:       zp sha512_message[2] block sha512_h[64]
; pointer:  sha512_message -> block[128]
; out:      sha512_h[64]
; clobbers: callees
; stack:    2
; cycles:   137125..137252   (the later ones for a block across pages)
.proc sha512_block
  jsr sha512_load
  jsr sha512_schedule
.endproc
; fall through
;; sha512_mix – the rounds of a block whose words are scheduled.
; in:       sha512_wk[240] sha512_wk+256[240] sha512_wk+512[160] sha512_h[64]
; out:      sha512_h[64]
; clobbers: as sha512_rounds
; stack:    2
; cycles:   84970 constant
.proc sha512_mix
  ldx #DIGEST - 1
@byte:
    lda sha512_h,x
    sta sha512_v,x
    dex
    bpl @byte
  .assert >* = >@byte, lderror, "the loop must not cross a page"
@mix:
  jsr sha512_rounds
@add:
  ldx #DIGEST - WORD
@word:
    clc
  .repeat ::WORD, i
    lda sha512_h + i,x
    adc sha512_v + i,x
    sta sha512_h + i,x
  .endrepeat
    txa
    sec
    sbc #WORD
    tax
    bcs @word
  .assert >* = >@word, lderror, "the loop must not cross a page"
@done:
  rts
.endproc
.assert sha512_mix = sha512_block + .sizeof(sha512_block), error, "sha512_block falls through to sha512_mix"
.export sha512_mix
