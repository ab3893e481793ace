; SPDX-License-Identifier: MIT
; A block's 16 words, and the 64 that are made from them.
.include "sha512/sha512.inc"

.segment "CODE"

;; sha512_load – take the next block of the message apart.
; in:       zp sha512_message[2] block
; pointer:  sha512_message -> block[128]
; out:      sha512_w[16] sha512_w+80[16] sha512_w+160[16]
;           sha512_w+256[16] sha512_w+336[16] sha512_w+416[16]
;           sha512_w+512[16] sha512_w+592[16]
; ensures:  all i in 0..15: all j in 0..2: sha512_w[80 * j + i] == block[8 * i + 7 - j],
;           all i in 0..15: all j in 0..2: sha512_w[256 + 80 * j + i] == block[8 * i + 4 - j],
;           all i in 0..15: all j in 0..1: sha512_w[512 + 80 * j + i] == block[8 * i + 1 - j]
; clobbers: A X Y N Z
; stack:    0
; cycles:   1625..1752   (one more for each byte beyond the first page)
.proc sha512_load
  ldx #BLOCK / WORD - 1
  ldy #BLOCK - 1
@word:
  .repeat ::WORD, i
    lda (sha512_message),y
    sta PLANE sha512_w, i, x
    dey
  .endrepeat
    dex
    bpl @word
  .assert >* = >@word, lderror, "the loop must not cross a page"
  rts
.endproc

;; sha512_schedule – make 64 further words; all 80 then get their constants added.
; in:       sha512_w[16] sha512_w+80[16] sha512_w+160[16]
;           sha512_w+256[16] sha512_w+336[16] sha512_w+416[16]
;           sha512_w+512[16] sha512_w+592[16]   (the first 16 words)
; out:      sha512_w[240] sha512_w+256[240] sha512_w+512[160]
;           sha512_wk[240] sha512_wk+256[240] sha512_wk+512[160]
; clobbers: A X Y N V Z C zp sha512_t[8]
; stack:    0
; cycles:   50518 constant
.proc sha512_schedule
  ldx #BLOCK / WORD - 1
first:
  clc
  .repeat ::WORD, i
    lda PLANE sha512_w, i, x
    adc PLANE sha512_k, i, x
    sta PLANE sha512_wk, i, x
  .endrepeat
    dex
    bmi words
    jmp first
words:
  ldx #0
word:
  ; t = w[x] + (w[x+1] rotated right by 1 and by 8, and shifted right by 7)
  clc
  .repeat ::WORD - 1, i
    ldy 1 + PLANE sha512_w, i, x
    lda shr1_shr7, y
    ldy 1 + PLANE sha512_w, i + 1, x
    eor shl7_shl0_shl1, y
    adc PLANE sha512_w, i, x
    sta sha512_t + i
  .endrepeat
    ldy 1 + PLANE sha512_w, 7, x
    lda shr1_shr7, y
    ldy 1 + PLANE sha512_w, 0, x
    eor shl7_shl0, y    ; the shifted word has nothing from beyond its top
    adc PLANE sha512_w, 7, x
    sta sha512_t + 7
  ; t += w[x+9]
plus_w9:
  clc
  .repeat ::WORD, i
    lda sha512_t + i
    adc 9 + PLANE sha512_w, i, x
    sta sha512_t + i
  .endrepeat
  ; w[x+16] = t + (w[x+14] rotated right by 19 and by 61, and shifted right by 6)
plus_sigma1:
  clc
  .repeat ::WORD, i
  .ident(.sprintf("sigma1_%d", i)):
    ldy 14 + PLANE sha512_w, i, x
    lda shl3_shr6, y
    ldy 14 + PLANE sha512_w, (i + 7) .mod ::WORD, x
    eor shr5, y
    .if i < ::WORD - 1
      ldy 14 + PLANE sha512_w, (i + 1) .mod ::WORD, x
      eor shl2, y
    .endif
  ; so far rotated by 61 and shifted
  .ident(.sprintf("rotated19_%d", i)):
    ldy 14 + PLANE sha512_w, (i + 2) .mod ::WORD, x
    eor shr3, y
    ldy 14 + PLANE sha512_w, (i + 3) .mod ::WORD, x
    eor shl5, y
  .ident(.sprintf("summed_%d", i)):
    adc sha512_t + i
    sta 16 + PLANE sha512_w, i, x
  .endrepeat
plus_constant:
  clc
  .repeat ::WORD, i
    lda 16 + PLANE sha512_w, i, x
    adc 16 + PLANE sha512_k, i, x
    sta 16 + PLANE sha512_wk, i, x
  .endrepeat
next:
    inx
    cpx #ROUNDS - BLOCK / WORD
    beq done
    jmp word
done:
  rts
.endproc
