; SPDX-License-Identifier: MIT
; The variables of SHA-512.
INCLUDE "sha512/sha512.inc"

SECTION "sha512 hram", HRAM
sha512_v::       ds WORD * PLANE ; the working words a to h and two sums, by planes
sha512_message:: ds 2           ; where the next block is read
sha512_length::  ds 2           ; bytes of the message still to come
sha512_at::      ds 2           ; in the schedule: address of the word that is made
sha512_left::    ds 1           ; turns of a loop still to come

; Four pages, in which nothing that is counted through by L crosses from one to another.
SECTION "sha512 work", WRAM0, ALIGN[8]
sha512_wk::      ds WK_BYTES    ; the scheduled words with the constants k added
sha512_buffer::  ds BLOCK       ; the last block, with its padding
sha512_w::       ds BLOCK       ; the last 16 scheduled words, word t at place t modulo 16
sha512_h::       ds DIGEST      ; the hash so far, lowest bytes first
sha512_digest::  ds DIGEST      ; the result, highest bytes first
sha512_bits::    ds 3           ; length of the message in bits, lowest byte first
ASSERT LOW(sha512_wk) == 0 && LOW(sha512_w) == 0, "the words must start pages"
