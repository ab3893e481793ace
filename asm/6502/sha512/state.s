; SPDX-License-Identifier: MIT
; The variables of SHA-512.
.include "sha512/sha512.inc"

.segment "ZEROPAGE"
sha512_v:       .res DIGEST     ; the eight working words, lowest bytes first
sha512_t:       .res WORD       ; a sum on its way
sha512_bc:      .res WORD       ; b eor c, which the next round would make again
sha512_message: .res 2          ; where the next block is read
sha512_length:  .res 2          ; bytes of the message still to come

.segment "BSS"
  .align 256
sha512_w:       .res PLANES     ; the scheduled words
  .align 256
sha512_wk:      .res PLANES     ; the same with the constants k added
sha512_h:       .res DIGEST     ; the hash so far, lowest bytes first
sha512_buffer:  .res BLOCK      ; the last block, with its padding
sha512_digest:  .res DIGEST     ; the result, highest bytes first
sha512_bits:    .res 3          ; length of the message in bits, lowest byte first
.export sha512_bits
.assert <sha512_w = 0 && <sha512_wk = 0, lderror, "the planes must start pages"
