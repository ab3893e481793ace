; SPDX-License-Identifier: MIT
; The variables of MT19937.
.include "mt19937/mt19937.inc"

.segment "ZEROPAGE"
mt_this:       .res 2   ; address of the word that is renewed next
mt_ahead:      .res 2   ; address of the word MT_AHEAD further on
mt_x:          .res MT_WORD     ; while seeding: the word before
mt_y:          .res MT_WORD     ; a result: a product, an output
mt_i:          .res 2   ; while seeding: the word's number
mt_j:          .res 2   ; while seeding: the key word's number
mt_key:        .res 2   ; address of the key
mt_key_length: .res 2   ; its words, 1..624
mt_key_at:     .res 2   ; address of its next word

.segment "BSS"
; The first word once more behind the last, so that every word has a next one.
mt_state:      .res MT_BYTES + MT_WORD
