; SPDX-License-Identifier: MIT
; A state out of a key of any length.
.include "mt19937/mt19937.inc"

START = 19650218

; mt_y = (mt_x eor mt_x >> 30) * factor, by the tables of its products.
.macro multiply product
  lda mt_x+3
  asl a
  rol a
  rol a
  and #3
  eor mt_x+0
  tax
  lda product,x
  sta mt_y+0
  lda product + $300,x
  sta mt_y+3
  ldy product + $200,x
  lda product + $100,x
  ldx mt_x+1
  clc
  adc product,x
  sta mt_y+1
  tya
  adc product + $100,x
  tay
  lda mt_y+3
  adc product + $200,x
  sta mt_y+3
  tya
  ldx mt_x+2
  clc
  adc product,x
  sta mt_y+2
  lda mt_y+3
  adc product + $100,x
  ldx mt_x+3
  clc
  adc product,x
  sta mt_y+3
.endmacro

.segment "CODE"

;; mt_init_by_array – make the state from a key (init_by_array of mt19937ar.c).
; in:       zp mt_key[2] mt_key_length[2] key   (its words with their lowest bytes first)
; pointer:  mt_key -> key[MT_WORD * mt_key_length <= MT_BYTES]
; requires: mt_key_length in 1..MT_WORDS
; out:      mt_state[MT_BYTES] mt_state+MT_BYTES[MT_WORD] mt_this[2] mt_ahead[2]
; ensures:  mt_seeded
; clobbers: A X Y N V Z C mt_x[4] mt_y[4] mt_i[2] mt_j[2] mt_key_at[2]
; stack:    4
; cycles:   495200..516345   (short keys start again more often; the most: one word, from the last byte of a page on)
; loops:    @start 624..624, @key 624..624, @last 623..623
.proc mt_init_by_array
  ; word 0 is START, word i the product of the one before and i
  jsr first_word
  ldy #0
  lda #<START
  sta (mt_this),y
  sta mt_x
  iny
  lda #<(START >> 8)
  sta (mt_this),y
  sta mt_x+1
  iny
  lda #<(START >> 16)
  sta (mt_this),y
  sta mt_x+2
  iny
  lda #<(START >> 24)
  sta (mt_this),y
  sta mt_x+3
@start:
    jsr next_word
    beq @started
@multiply:
    multiply mt_product_first
@number:
    ldy #0
    clc
    lda mt_y+0
    adc mt_i
    sta (mt_this),y
    sta mt_x+0
    iny
    lda mt_y+1
    adc mt_i+1
    sta (mt_this),y
    sta mt_x+1
    iny
    lda mt_y+2
    adc #0
    sta (mt_this),y
    sta mt_x+2
    iny
    lda mt_y+3
    adc #0
    sta (mt_this),y
    sta mt_x+3
    jmp @start
@started:
  ; the key goes in: 624 steps from word 1 on, so word 1 has two
  lda mt_state+0
  sta mt_x+0
  lda mt_state+1
  sta mt_x+1
  lda mt_state+2
  sta mt_x+2
  lda mt_state+3
  sta mt_x+3
  jsr first_key_word
  jsr first_word
@key:
    jsr next_word
    beq @last_key
    jsr mix_key
    jmp @key
@last_key:
  jsr next_word
  jsr mix_key
  ; a last time: 623 steps from word 2 on, round the end to word 1
@last:
    jsr next_word
    beq @round
    jsr mix_last
    jmp @last
@round:
  jsr next_word
  jsr mix_last
  jsr first_word
  ; word 0 is only its top bit, and stands behind the last word too
  lda #0
  ldx #2
@clear:
    sta mt_state,x
    sta mt_state + MT_BYTES,x
    dex
    bpl @clear
  lda #$80
  sta mt_state+3
  sta mt_state + MT_BYTES + 3
  lda #<(mt_state + MT_AHEAD * MT_WORD)
  sta mt_ahead
  lda #>(mt_state + MT_AHEAD * MT_WORD)
  sta mt_ahead+1
  rts
.endproc

; One step with the key: word = (word eor product) + key word + its number.
.proc mix_key
  multiply mt_product_key
@mix:
  ldy #0
  clc
  .repeat ::MT_WORD, i
    lda (mt_this),y
    eor mt_y + i
    adc (mt_key_at),y
    sta mt_x + i
    .if i < ::MT_WORD - 1
      iny
    .endif
  .endrepeat
  ldy #0
  clc
  lda mt_x+0
  adc mt_j
  sta mt_x+0
  sta (mt_this),y
  iny
  lda mt_x+1
  adc mt_j+1
  sta mt_x+1
  sta (mt_this),y
  iny
  lda mt_x+2
  adc #0
  sta mt_x+2
  sta (mt_this),y
  iny
  lda mt_x+3
  adc #0
  sta mt_x+3
  sta (mt_this),y
  ; the next word of the key, round its end
  lda mt_key_at
  clc
  adc #MT_WORD
  sta mt_key_at
  bcc @same_page
    inc mt_key_at+1
@same_page:
  inc mt_j
  bne @no_carry
    inc mt_j+1
@no_carry:
  lda mt_j
  cmp mt_key_length
  bne done
  lda mt_j+1
  cmp mt_key_length+1
  bne done
.endproc
; fall through
.proc first_key_word
  lda #0
  sta mt_j
  sta mt_j+1
  lda mt_key
  sta mt_key_at
  lda mt_key+1
  sta mt_key_at+1
.endproc
; fall through
.proc done
  rts
.endproc
.assert first_key_word = mix_key + .sizeof(mix_key), error, "mix_key falls through"
.assert done = first_key_word + .sizeof(first_key_word), error, "first_key_word falls through"

; One step without the key: word = (word eor product) - its number.
.proc mix_last
  multiply mt_product_last
@mix:
  ldy #0
  sec
  lda (mt_this),y
  eor mt_y+0
  sbc mt_i
  sta mt_x+0
  sta (mt_this),y
  iny
  lda (mt_this),y
  eor mt_y+1
  sbc mt_i+1
  sta mt_x+1
  sta (mt_this),y
  iny
  lda (mt_this),y
  eor mt_y+2
  sbc #0
  sta mt_x+2
  sta (mt_this),y
  iny
  lda (mt_this),y
  eor mt_y+3
  sbc #0
  sta mt_x+3
  sta (mt_this),y
  rts
.endproc

; To word 0.
.proc first_word
  lda #<mt_state
  sta mt_this
  lda #>mt_state
  sta mt_this+1
  lda #0
  sta mt_i
  sta mt_i+1
  rts
.endproc

; To the next word; from the last one to word 0, and then Z is set.
.proc next_word
  lda mt_this
  clc
  adc #MT_WORD
  sta mt_this
  bcc @same_page
    inc mt_this+1
@same_page:
  inc mt_i
  bne @no_carry
    inc mt_i+1
@no_carry:
  lda mt_i
  cmp #<MT_WORDS
  bne @inside
  lda mt_i+1
  cmp #>MT_WORDS
  bne @inside
  jsr first_word
  lda #0
@inside:
  rts
.endproc
