; SPDX-License-Identifier: MIT
; The variables of MT19937.
INCLUDE "mt19937/mt19937.inc"

SECTION "mt19937 hram", HRAM
mt_this::       ds 2    ; address of the word that is renewed next
mt_ahead::      ds 2    ; address of the word MT_AHEAD further on
mt_x::          ds MT_WORD      ; while seeding: the word before
mt_y::          ds MT_WORD      ; the output
mt_i::          ds 2    ; while seeding: the word's number
mt_j::          ds 2    ; while seeding: the key word's number
mt_key::        ds 2    ; address of the key
mt_key_length:: ds 2    ; its words, 1..624
mt_key_at::     ds 2    ; address of its next word

; In the other half of the work RAM: with this, one half would not hold everything.
SECTION "mt19937 state", WRAMX, ALIGN[2]
; The first word once more behind the last, so that every word has a next one.
mt_state::      ds MT_BYTES + MT_WORD
ASSERT LOW(mt_state) % MT_WORD == 0, "a word must not cross a page"
