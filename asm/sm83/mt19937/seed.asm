; SPDX-License-Identifier: MIT
; A state out of a key of any length.
INCLUDE "mt19937/mt19937.inc"

DEF START EQU 19650218

; BCDE = (mt_x ^ mt_x >> 30) * factor, by the tables of its products; E is the lowest byte.
MACRO multiply ; tables
  ldh a, [mt_x + 3]
  rlca
  rlca
  and 3
  ld l, a
  ldh a, [mt_x + 0]
  xor l
  ld l, a
  ld h, HIGH(\1)
  ld e, [hl]
  inc h
  ld d, [hl]
  inc h
  ld c, [hl]
  inc h
  ld b, [hl]
  ldh a, [mt_x + 1]
  ld l, a
  ld h, HIGH(\1)
  ld a, d
  add [hl]
  ld d, a
  inc h
  ld a, c
  adc [hl]
  ld c, a
  inc h
  ld a, b
  adc [hl]
  ld b, a
  ldh a, [mt_x + 2]
  ld l, a
  ld h, HIGH(\1)
  ld a, c
  add [hl]
  ld c, a
  inc h
  ld a, b
  adc [hl]
  ld b, a
  ldh a, [mt_x + 3]
  ld l, a
  dec h
  ld a, b
  add [hl]
  ld b, a
ENDM

; BCDE ^= the word at mt_this.
MACRO mix_word
  ldh a, [mt_this + 0]
  ld l, a
  ldh a, [mt_this + 1]
  ld h, a
  ld a, [hl+]
  xor e
  ld e, a
  ld a, [hl+]
  xor d
  ld d, a
  ld a, [hl+]
  xor c
  ld c, a
  ld a, [hl]
  xor b
  ld b, a
ENDM

; BCDE += the 16-bit number at \1 in HRAM.
MACRO add_number
  ldh a, [\1 + 0]
  add e
  ld e, a
  ldh a, [\1 + 1]
  adc d
  ld d, a
  ld a, c
  adc 0
  ld c, a
  ld a, b
  adc 0
  ld b, a
ENDM

; HL = the word after \1, a 16-bit number in HRAM, and that number = HL.
MACRO count
  ldh a, [\1 + 0]
  ld l, a
  ldh a, [\1 + 1]
  ld h, a
  inc hl
  ld a, l
  ldh [\1 + 0], a
  ld a, h
  ldh [\1 + 1], a
ENDM

SECTION "mt19937 seed", ROM0

;; mt_init_by_array – make the state from a key (init_by_array of mt19937ar.c).
; in:       hram mt_key[2] mt_key_length[2] key   (its words with their lowest bytes first)
; pointer:  mt_key -> key[MT_WORD * mt_key_length <= MT_BYTES]
; requires: mt_key_length in 1..MT_WORDS
; out:      mt_state[MT_BYTES] mt_state+MT_BYTES[MT_WORD] mt_this[2] mt_ahead[2]
; ensures:  mt_seeded
; clobbers: A BC DE HL F mt_x[4] mt_i[2] mt_j[2] mt_key_at[2]
; stack:    4
; cycles:   408113..424311 (a key of one word takes longest)
; loops:    .start 624..624, .key 624..624, .last 623..623
mt_init_by_array::
  ; word 0 is START, word i the product of the one before and i
  call first_word
  ld bc, START >> 16
  ld de, START & $FFFF
.start
    call keep_word
    call next_word
    jr z, .started
.multiply
    multiply mt_product_first
.number
    add_number mt_i
    jr .start
.started
  ; the key goes in: 624 steps from word 1 on, so word 1 has two
  FOR I, MT_WORD
    ld a, [mt_state + I]
    ldh [mt_x + I], a
  ENDR
  call first_key_word
.key
    call next_word
    jr z, .last_key
    call mix_key
    jr .key
.last_key
  call next_word
  call mix_key
  ; a last time: 623 steps from word 2 on, round the end to word 1
.last
    call next_word
    jr z, .round
    call mix_last
    jr .last
.round
  call next_word
  call mix_last
  call first_word
  ; word 0 is only its top bit, and stands behind the last word too
  xor a
FOR I, MT_WORD - 1
  ld [mt_state + I], a
  ld [mt_state + MT_BYTES + I], a
ENDR
  ld a, $80
  ld [mt_state + 3], a
  ld [mt_state + MT_BYTES + 3], a
  ld a, LOW(mt_state + MT_AHEAD * MT_WORD)
  ldh [mt_ahead + 0], a
  ld a, HIGH(mt_state + MT_AHEAD * MT_WORD)
  ldh [mt_ahead + 1], a
  ret

; One step with the key: word = (word ^ product) + key word + its number.
mix_key:
  multiply mt_product_key
.mix
  mix_word
  ldh a, [mt_key_at + 0]
  ld l, a
  ldh a, [mt_key_at + 1]
  ld h, a
  ld a, [hl+]
  add e
  ld e, a
  ld a, [hl+]
  adc d
  ld d, a
  ld a, [hl+]
  adc c
  ld c, a
  ld a, [hl+]
  adc b
  ld b, a
  ld a, l
  ldh [mt_key_at + 0], a
  ld a, h
  ldh [mt_key_at + 1], a
  add_number mt_j
  call keep_word
  ; the key's end is followed by its start
  count mt_j
  ldh a, [mt_key_length + 1]
  cp h
  ret nz
  ldh a, [mt_key_length + 0]
  cp l
  ret nz
; fall through
; To the key's first word.
first_key_word:
  xor a
  ldh [mt_j + 0], a
  ldh [mt_j + 1], a
  ldh a, [mt_key + 0]
  ldh [mt_key_at + 0], a
  ldh a, [mt_key + 1]
  ldh [mt_key_at + 1], a
  ret

; One step without the key: word = (word ^ product) - its number.
mix_last:
  multiply mt_product_last
.mix
  mix_word
  ldh a, [mt_i + 0]
  ld l, a
  ld a, e
  sub l
  ld e, a
  ldh a, [mt_i + 1]
  ld l, a
  ld a, d
  sbc l
  ld d, a
  ld a, c
  sbc 0
  ld c, a
  ld a, b
  sbc 0
  ld b, a
; fall through
; The word at mt_this = mt_x = BCDE.
keep_word:
  ldh a, [mt_this + 0]
  ld l, a
  ldh a, [mt_this + 1]
  ld h, a
  ld a, e
  ldh [mt_x + 0], a
  ld [hl+], a
  ld a, d
  ldh [mt_x + 1], a
  ld [hl+], a
  ld a, c
  ldh [mt_x + 2], a
  ld [hl+], a
  ld a, b
  ldh [mt_x + 3], a
  ld [hl], a
  ret

; To the next word; from the last one to word 0, and then Z is set.
next_word:
  ldh a, [mt_this + 0]
  add MT_WORD
  ldh [mt_this + 0], a
  jr nc, .same_page
    ldh a, [mt_this + 1]
    inc a
    ldh [mt_this + 1], a
.same_page
  count mt_i
  ld a, h
  cp HIGH(MT_WORDS)
  ret nz
  ld a, l
  cp LOW(MT_WORDS)
  ret nz
; fall through
; To word 0; Z is set.
first_word:
  ld a, LOW(mt_state)
  ldh [mt_this + 0], a
  ld a, HIGH(mt_state)
  ldh [mt_this + 1], a
  xor a
  ldh [mt_i + 0], a
  ldh [mt_i + 1], a
  ret
