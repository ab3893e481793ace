; SPDX-License-Identifier: MIT
; A round's wall and dice.  Of the M-cycles 93 % are SHA-512's.
INCLUDE "tenhou/tenhou.inc"
INCLUDE "sha512/sha512.inc"
INCLUDE "mt19937/mt19937.inc"

SECTION "tenhou round", ROM0

;; tenhou_round – make the next round's wall and dice; the generator runs on.
; in:       hram tenhou_tiles mt_this[2] mt_ahead[2] mt_state[2500]
; requires: tenhou_tiles == 136 or tenhou_tiles == 108, mt_seeded
; out:      tenhou_wall[136] tenhou_dice[2] mt_this[2] mt_ahead[2] mt_state[2500]
; ensures:  tenhou_dice[0] in 1..6, tenhou_dice[1] in 1..6, mt_seeded
; clobbers: callees, hram dividend[4] tenhou_at tenhou_chunk tenhou_word tenhou_output[128] sha512_message[2]
; stack:    8
; cycles:   1966349..1996449        (limits of 108 and of 136 tiles that no call is known to reach; about 1,983,000 of 136)
; loops:    .chunk 9..9, .word 16..16, hash_output.output 32..32
tenhou_round::
  ldh a, [tenhou_tiles]
  ld c, a
  ld hl, tenhou_wall
.sorted
    ld [hl], l
    inc l
    dec c
    jr nz, .sorted
  xor a
  ldh [tenhou_at], a
  ld a, TENHOU_CHUNKS
  ldh [tenhou_chunk], a
.chunk
  call hash_output
  ld a, LOW(sha512_digest)
.word
    ldh [tenhou_word], a
    ; the digest is read as words with their lowest byte first, as it lies there
    ld l, a
    ld h, HIGH(sha512_digest)
    FOR I, MT_WORD
      ld a, [hl+]
      ldh [dividend + I], a
    ENDR
    call use_word
    ldh a, [tenhou_at]
    inc a
    ldh [tenhou_at], a
    ldh a, [tenhou_word]
    add MT_WORD
    cp LOW(sha512_digest + DIGEST)
    jr nz, .word
  ldh a, [tenhou_chunk]
  dec a
  ldh [tenhou_chunk], a
  jr nz, .chunk
  ret
ASSERT LOW(tenhou_wall) == 0, "a tile's place must be the low byte of its address"
ASSERT HIGH(sha512_digest) == HIGH(sha512_digest + DIGEST - 1), "the digest must lie in one page"

; Hash the generator's next 32 outputs.
hash_output:
  ld a, LOW(tenhou_output)
.output
    ldh [tenhou_word], a
    call mt_next
    ldh a, [tenhou_word]
    ld l, a
    ld h, HIGH(tenhou_output)
    FOR I, MT_WORD
      ldh a, [mt_y + I]
      ld [hl+], a
    ENDR
    ld a, l
    cp LOW(tenhou_output + TENHOU_CHUNK)
    jr nz, .output
.hash
  ld a, LOW(tenhou_output)
  ldh [sha512_message + 0], a
  ld a, HIGH(tenhou_output)
  ldh [sha512_message + 1], a
  jp sha512_of_128
ASSERT HIGH(tenhou_output) == HIGH(tenhou_output + TENHOU_CHUNK - 1), "the output must lie in one page"

; What the word in dividend is for: a swap, a die, or nothing.
use_word:
  ldh a, [tenhou_at]
  ld c, a
  ldh a, [tenhou_tiles]
  sub c
  jr c, .no_swap
  cp 2
  jr c, .no_swap        ; one tile is left: it stays
    call modulo
    ld c, a
    ldh a, [tenhou_at]
    ld e, a
    add c
    ld l, a
    ld h, HIGH(tenhou_wall)
    ld d, h
    ld a, [de]
    ld b, [hl]
    ld [hl], a
    ld a, b
    ld [de], a
    ret
.no_swap
  ld a, c
  sub TENHOU_DICE
  ret c
  cp 2
  ret nc
    ld a, TENHOU_FACES
    call modulo
    inc a
    ld b, a
    ldh a, [tenhou_at]
    add LOW(tenhou_dice) - TENHOU_DICE
    ld l, a
    ld h, HIGH(tenhou_dice)
    ld [hl], b
    ret
ASSERT HIGH(tenhou_dice) == HIGH(tenhou_dice + 1), "the dice must lie in one page"
