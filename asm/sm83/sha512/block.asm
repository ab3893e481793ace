; SPDX-License-Identifier: MIT
; One block of the message into the hash.
INCLUDE "sha512/sha512.inc"

SECTION "sha512 start", ROM0

;; sha512_start – begin a new hash.
; in:       none
; out:      sha512_h[64]
; clobbers: A BC DE HL F
; stack:    0
; cycles:   651 constant   (M-cycles, entry to RET inclusive)
sha512_start::
  ld de, sha512_initial
  ld hl, sha512_h
  ld c, DIGEST
.byte
    ld a, [de]
    inc de
    ld [hl+], a
    dec c
    jr nz, .byte
  ret

SECTION "sha512 block", ROM0

;; sha512_block – hash the block at sha512_message.
; in:       hram sha512_message[2] block sha512_h[64]
; pointer:  sha512_message -> block[128]
; out:      sha512_h[64]
; clobbers: callees
; stack:    4
; cycles:   124414 constant
sha512_block::
  call sha512_load
  call sha512_schedule
  ld de, sha512_wk
; fall through
;; sha512_mix – the rounds of a block whose words are scheduled.
; in:       DE words sha512_h[64]
; pointer:  DE -> words[WK_BYTES]   (80 words with k added)
; requires: DE % WORD == 0
; out:      sha512_h[64]
; clobbers: as sha512_rounds
; stack:    4
; cycles:   79320 constant
sha512_mix::
  ld hl, sha512_h
FOR J, DIGEST / WORD
  FOR I, WORD
    ld a, [hl+]
    ldh [sha512_v + PLANE * I + J], a
  ENDR
ENDR
.mix
  call sha512_rounds
.add
  ; 80 rounds are eight turns of a plane: every word is in its place again
  ld hl, sha512_h
FOR J, DIGEST / WORD
  and a
  FOR I, WORD
    ldh a, [sha512_v + PLANE * I + J]
    adc [hl]
    ld [hl+], a
  ENDR
ENDR
.done
  ret
