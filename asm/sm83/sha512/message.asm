; SPDX-License-Identifier: MIT
; Whole messages.
INCLUDE "sha512/sha512.inc"

DEF MARK      EQU $80           ; the bit that ends the message
DEF LENGTH_AT EQU BLOCK - 3     ; its length in bits ends the last block; 24 bits do

SECTION "sha512 message", ROM0

;; sha512 – hash a message.
; in:       hram sha512_message[2] sha512_length[2] message   (255 blocks with their padding at most)
; pointer:  sha512_message -> message[sha512_length <= 32623]
; out:      sha512_digest[64] sha512_message[2] sha512_length[2]
; clobbers: callees, sha512_buffer[128] sha512_bits[3]
; stack:    6
; cycles:   126989..31740207       (one block: at most 127213)
; loops:    .block 255, .copy 127, clear_buffer.byte 129
sha512::
  ; the length in bits
  ldh a, [sha512_length + 0]
  ld l, a
  ldh a, [sha512_length + 1]
  ld h, a
  xor a
REPT 3
  add hl, hl
  rla
ENDR
  ld [sha512_bits + 2], a
  ld a, h
  ld [sha512_bits + 1], a
  ld a, l
  ld [sha512_bits + 0], a
  call sha512_start
.block
  ldh a, [sha512_length + 0]
  sub BLOCK
  ld l, a
  ldh a, [sha512_length + 1]
  sbc 0
  jr c, .rest
  ldh [sha512_length + 1], a
  ld a, l
  ldh [sha512_length + 0], a
  call sha512_block
  ldh a, [sha512_message + 0]
  add BLOCK
  ldh [sha512_message + 0], a
  jr nc, .block
  ldh a, [sha512_message + 1]
  inc a
  ldh [sha512_message + 1], a
  jr .block
.rest
  ; less than a block is left: it goes to the buffer, and the mark behind it
  ldh a, [sha512_message + 0]
  ld e, a
  ldh a, [sha512_message + 1]
  ld d, a
  ld hl, sha512_buffer
  ldh a, [sha512_length + 0]
  ld c, a
  and a
  jr z, .copied
.copy
    ld a, [de]
    inc de
    ld [hl+], a
    dec c
    jr nz, .copy
.copied
  ld [hl], MARK
  inc hl
  ld a, LOW(sha512_buffer)
  ldh [sha512_message + 0], a
  ld a, HIGH(sha512_buffer)
  ldh [sha512_message + 1], a
  ldh a, [sha512_length + 0]
  cp BLOCK - 2 * WORD
  jr c, .fits
  ; no room for the length: it gets a block of its own
  ld a, LOW(sha512_buffer + BLOCK)
  call clear_buffer
  call sha512_block
  ld hl, sha512_buffer
.fits
  ld a, LOW(sha512_buffer + BLOCK)
  call clear_buffer
  ld hl, sha512_buffer + LENGTH_AT
  ld a, [sha512_bits + 2]
  ld [hl+], a
  ld a, [sha512_bits + 1]
  ld [hl+], a
  ld a, [sha512_bits + 0]
  ld [hl], a
  call sha512_block
  jp sha512_finish

; Zeros from HL on, until the low byte of the address is A.
clear_buffer:
  ld c, a
.byte
    ld a, l
    cp c
    ret z
    ld [hl], 0
    inc hl
    jr .byte

;; sha512_of_128 – hash a message of 128 bytes, whose padding is always the same block.
; in:       hram sha512_message[2] block
; pointer:  sha512_message -> block[128]
; out:      sha512_digest[64]
; clobbers: callees
; stack:    6
; cycles:   204889 constant
sha512_of_128::
  call sha512_start
  call sha512_block
.padding
  ld de, sha512_padding
  call sha512_mix
; fall through
;; sha512_finish – the hash as a digest.
; in:       sha512_h[64]
; out:      sha512_digest[64]
; clobbers: A BC DE HL F
; stack:    0
; cycles:   483 constant
sha512_finish::
  ld hl, sha512_h
  ld de, sha512_digest + WORD - 1
  ld b, DIGEST / WORD
.word
  REPT WORD
    ld a, [hl+]
    ld [de], a
    dec de
  ENDR
    ld a, e
    add 2 * WORD
    ld e, a
    jr nc, .same_page
      inc d
.same_page
    dec b
    jr nz, .word
  ret
