; SPDX-License-Identifier: MIT
; A round's wall and dice.
.include "tenhou/tenhou.inc"
.include "mt19937/mt19937.inc"
.include "sha512/sha512.inc"
.include "arith/arith.inc"

.segment "CODE"

;; tenhou_round – make the next round's wall and dice; the generator runs on.
; in:       zp tenhou_tiles mt_this[2] mt_ahead[2] mt_state[2500]
; requires: tenhou_tiles == 136 or tenhou_tiles == 108, mt_seeded
; out:      tenhou_wall[136] tenhou_dice[2] mt_this[2] mt_ahead[2] mt_state[2500]
; ensures:  tenhou_dice[0] in 1..6, tenhou_dice[1] in 1..6, mt_seeded
; clobbers: callees, zp tenhou_at tenhou_chunk tenhou_word tenhou_output[128] sha512_message[2]
; stack:    6
; cycles:   2283994..2337691   (limits of 108 and of 136 tiles that no call is known to reach)
; loops:    @chunk 9..9, hash_output@output 32..32
.proc tenhou_round
  ldx #0
@sorted:
    txa
    sta tenhou_wall,x
    inx
    cpx tenhou_tiles
    bne @sorted
  lda #0
  sta tenhou_at
  lda #TENHOU_CHUNKS
  sta tenhou_chunk
@chunk:
  jsr hash_output
  ldx #0
@word:
    stx tenhou_word
    ; the digest is read as words with their lowest byte first, as it lies there
    .repeat 4, i
      lda sha512_digest + i,x
      sta dividend + i
    .endrepeat
    jsr use_word
    inc tenhou_at
    lda tenhou_word
    clc
    adc #4
    tax
    cpx #DIGEST
    bne @word
  dec tenhou_chunk
  bne @chunk
  rts
.endproc

; Hash the generator's next 32 outputs.
.proc hash_output
  ldx #0
@output:
    stx tenhou_word
    jsr mt_next
    ldx tenhou_word
    .repeat 4, i
      lda mt_y + i
      sta tenhou_output + i,x
    .endrepeat
    txa
    clc
    adc #4
    tax
    bpl @output         ; until 128
@hash:
  lda #<tenhou_output
  sta sha512_message
  lda #>tenhou_output
  sta sha512_message+1
  jmp sha512_of_128
.endproc

; What the word in dividend is for: a swap, a die, or nothing.
.proc use_word
  lda tenhou_tiles
  sec
  sbc #1
  sbc tenhou_at         ; carry: tiles is at least 1
  bcc @no_swap
  beq @no_swap
    adc #0              ; carry is set: tiles - at
    jsr modulo
    clc
    adc tenhou_at
    tay
    ldx tenhou_at
    lda tenhou_wall,x
    pha
    lda tenhou_wall,y
    sta tenhou_wall,x
    pla
    sta tenhou_wall,y
    rts
@no_swap:
  lda tenhou_at
  sec
  sbc #TENHOU_DICE
  bcc @unused
  cmp #2
  bcs @unused
    lda #FACES
    jsr modulo
    clc
    adc #1
    ldx tenhou_at
    sta tenhou_dice - TENHOU_DICE,x
@unused:
  rts
.endproc
