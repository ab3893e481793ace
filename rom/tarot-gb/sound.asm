; SPDX-License-Identifier: MIT
; Sounds: noise for cards, a low tone for a refusal.  Envelopes end them.
INCLUDE "gameboy.inc"

SECTION "sound", ROM0

; All of these: A is lost.
sound_init::
  ld a, $80               ; on
  ldh [IO_NR52], a
  ld a, $77               ; as loud as it goes, on both sides
  ldh [IO_NR50], a
  ld a, $FF
  ldh [IO_NR51], a
  ret

; A card turns: a short, high rustle.
sound_of_card::
  ld a, $A1
  ldh [IO_NR42], a
  ld a, $22
  jr noise

; The deck is shuffled: longer and lower.
sound_of_shuffle::
  ld a, $C4
  ldh [IO_NR42], a
  ld a, $34
; fall through

noise:
  ldh [IO_NR43], a
  xor a
  ldh [IO_NR41], a
  ld a, $80
  ldh [IO_NR44], a
  ret

sound_of_refusal::
  ld a, $80               ; as long high as low
  ldh [IO_NR21], a
  ld a, $A3
  ldh [IO_NR22], a
  ld a, LOW(2048 - 131072 / 110)  ; 110 Hz
  ldh [IO_NR23], a
  ld a, $80 | HIGH(2048 - 131072 / 110)
  ldh [IO_NR24], a
  ret
