; SPDX-License-Identifier: MIT
; A block's 16 words, and the 64 that are made from them.
;
; Of the 668 M-cycles of a word, 113 and 237 go into its two sigmas, 264 into additions.
; The words lie in a ring of 128 bytes, the two newest in HRAM as well: the tables take
; HL, and five bytes under way all other registers, so these must be read without.
INCLUDE "sha512/sha512.inc"

; Copy the word at HL (its lowest byte) to \1 in HRAM.
MACRO keep
FOR I, WORD
  ld a, [hl+]
  ldh [\1 + I], a
ENDR
ENDM

; Add k to the word at HL and store it; BC is in k and DE in wk, all three go on by a word.
MACRO add_constant
  and a
REPT WORD
  ld a, [bc]
  inc c
  adc [hl]
  inc l
  ld [de], a
  inc e
ENDR
ENDM

; The small sigma of the word at DE: rotated right by 1 and by 8, and shifted right by 7.
; B and C hold the lower part of a byte in turn, H goes between the two tables.
MACRO sigma_of_next
  ld h, HIGH(shr1_shr7)
  ld a, [de]
  ldh [sha512_v + SMALL_NEXT + WORD - 1], a     ; byte 0 is needed again in the end
  ld l, a
  ld b, [hl]
FOR I, WORD - 1
  inc e
  ld a, [de]
  ld l, a
  IF I % 2 == 0
    ld c, [hl]
    inc h
    ld a, [hl]
    xor b
  ELSE
    ld a, [hl]
    xor c
    dec h
    ld b, [hl]
  ENDC
  ldh [sha512_v + SMALL_NEXT + I], a
ENDR
  ; the shifted word has nothing from beyond its top
  ldh a, [sha512_v + SMALL_NEXT + WORD - 1]
  ld l, a
  ld h, HIGH(shl7_shl0)
  ld a, [hl]
  xor c
  ldh [sha512_v + SMALL_NEXT + WORD - 1], a
ENDM

; One byte of the small sigma of the word at LAST: rotated right by 19 and by 61, and
; shifted right by 6.  It takes something from five bytes; \1 to \4 are registers with
; the first four, and \1 then has the fifth.
MACRO sigma_byte
.sigma1_{d:NTH}_{d:I}
  ldh a, [LAST + ((I + 3) & 7)]
  ld h, HIGH(shr5)
  ld l, \1
  ld \1, a
  ld a, [hl]
  inc h
  ld l, \2
  xor [hl]
  inc h
  IF I < WORD - 1       ; the shifted word has nothing from beyond its top
    ld l, \3
    xor [hl]
  ENDC
  inc h                 ; so far rotated by 61 and shifted
.rotated19_{d:NTH}_{d:I}
  ld l, \4
  xor [hl]
  inc h
  ld l, \1
  xor [hl]
.summed{d:NTH}_{d:I}
  ldh [sha512_v + SMALL_LAST + I], a
ENDM
MACRO sigma_of_last
  ldh a, [LAST + 7]
  ld b, a
  ldh a, [LAST + 0]
  ld c, a
  ldh a, [LAST + 1]
  ld d, a
  ldh a, [LAST + 2]
  ld e, a
FOR I, WORD
  IF I % 4 == 0
    sigma_byte b, c, d, e
  ELIF I % 4 == 1
    sigma_byte c, d, e, b
  ELIF I % 4 == 2
    sigma_byte d, e, b, c
  ELSE
    sigma_byte e, b, c, d
  ENDC
ENDR
ENDM

; Make the word 16 after the one whose place it takes.  LAST is where the word before
; the last is kept; this one will be that in two words' time.  NTH tells the labels apart.
MACRO next_word
.word{d:NTH}
  ldh a, [sha512_at]
  add WORD              ; the next word
  and BLOCK - 1
  ld e, a
  ld d, HIGH(sha512_w)
.sigma_of_next{d:NTH}
  sigma_of_next
.sigma_of_last{d:NTH}
  sigma_of_last
.sum{d:NTH}
  ; word += both sigmas + the word 9 after it
  ld h, HIGH(sha512_w)
  ldh a, [sha512_at]
  and BLOCK - 1         ; and no carry
  ld l, a
  ld c, a
FOR I, WORD
  ldh a, [sha512_v + SMALL_NEXT + I]
  adc [hl]
  ld [hl+], a
ENDR
  ld l, c
  and a
FOR I, WORD
  ldh a, [sha512_v + SMALL_LAST + I]
  adc [hl]
  ld [hl+], a
ENDR
  ld l, c
  ld d, h
  ld a, c
  add 9 * WORD
  and BLOCK - 1
  ld e, a
FOR I, WORD
  ld a, [de]
  inc e
  adc [hl]
  ld [hl+], a
  ldh [LAST + I], a
ENDR
.constant{d:NTH}          ; and with k added to where the rounds read it
  ld l, c
  ldh a, [sha512_at]
  ld e, a
  ld c, a
  ldh a, [sha512_at + 1]
  ld d, a
  add HIGH(sha512_k) - HIGH(sha512_wk)
  ld b, a
  add_constant
  ld a, e
  ldh [sha512_at], a
ENDM

SECTION "sha512 schedule", ROM0

;; sha512_load – take the next block of the message apart.
; in:       hram sha512_message[2] block
; pointer:  sha512_message -> block[128]
; out:      sha512_w[128]
; ensures:  all i in 0..15: all j in 0..7: sha512_w[8 * i + 7 - j] == block[8 * i + j]
; clobbers: A BC DE HL F
; stack:    0
; cycles:   913 constant
sha512_load::
  ldh a, [sha512_message + 0]
  ld e, a
  ldh a, [sha512_message + 1]
  ld d, a
  ld hl, sha512_w + WORD - 1
  ld bc, 2 * WORD
.word
  REPT WORD
    ld a, [de]
    inc de
    ld [hl-], a
  ENDR
    add hl, bc
    ld a, l
    cp LOW(sha512_w + WORD - 1 + BLOCK)
    jr nz, .word
  ret

;; sha512_schedule – make 64 further words; all 80 get their constants added.
; in:       sha512_w[128]
; out:      sha512_w[128] sha512_wk[640]   (sha512_w: the last 16 words)
; clobbers: A BC DE HL F hram sha512_v[80] sha512_at[2] sha512_left
; stack:    0
; cycles:   44166 constant
; loops:    .pair 32..32
sha512_schedule::
  ld hl, sha512_w
  ld de, sha512_wk
  ld bc, sha512_k
.first
    add_constant
    ld a, l
    cp BLOCK
    jr nz, .first
  ld a, e
  ldh [sha512_at + 0], a
  ld a, d
  ldh [sha512_at + 1], a
  ld l, BLOCK - 2 * WORD
  keep sha512_v + LAST_WORDS
  keep sha512_v + LAST_WORDS + WORD
  ld a, (ROUNDS - BLOCK / WORD) / 2
  ldh [sha512_left], a
.pair
    DEF NTH = 0
    DEF LAST EQUS "sha512_v + LAST_WORDS"
    next_word
    PURGE LAST
    DEF NTH = 1
    DEF LAST EQUS "sha512_v + LAST_WORDS + WORD"
    next_word
    PURGE LAST
    ; a page holds an even number of words
    and a
    jr nz, .same_page
      ldh a, [sha512_at + 1]
      inc a
      ldh [sha512_at + 1], a
.same_page
    ldh a, [sha512_left]
    dec a
    ldh [sha512_left], a
    jp nz, .pair
.done
  ret
ASSERT LOW(sha512_w) == 0 && LOW(sha512_k) == 0 && LOW(sha512_wk) == 0, "the words must start pages"
