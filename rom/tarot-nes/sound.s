; SPDX-License-Identifier: MIT
; Sounds.  Each ends by itself: its envelope fades, its length counter stops it.
.include "nes.inc"
.include "game.inc"

.segment "CODE"

;; sound_init – silence, and the two channels that are used switched on.
; in:       none
; out:      APU_STATUS[1] APU_PULSE[4] APU_NOISE[4]
; clobbers: A N Z
; stack:    0
.proc sound_init
  lda #0
  sta APU_STATUS        ; this empties the length counters
  lda #$08
  sta APU_PULSE+1       ; no sweep
  lda #SOUND_PULSE | SOUND_NOISE
  sta APU_STATUS
  rts
.endproc

;; sound_turn – a card turns: a short burst of noise.
; in:       none
; out:      APU_NOISE[4]
; clobbers: A N Z
; stack:    0
.proc sound_turn
  lda #$01              ; fades in 16 steps of 2/240 s
  sta APU_NOISE+0
  lda #$05              ; bright
  sta APU_NOISE+2
  lda #2 << 3           ; at most 20/120 s
  sta APU_NOISE+3
  rts
.endproc

;; sound_shuffle – the deck is shuffled: a longer burst.
; in:       none
; out:      APU_NOISE[4]
; clobbers: A N Z
; stack:    0
.proc sound_shuffle
  lda #$06              ; fades in 16 steps of 7/240 s
  sta APU_NOISE+0
  lda #$07
  sta APU_NOISE+2
  lda #6 << 3           ; at most 80/120 s
  sta APU_NOISE+3
  rts
.endproc

;; sound_refused – a low tone.
; in:       none
; out:      APU_PULSE[4]
; clobbers: A N Z
; stack:    0
.proc sound_refused
  lda #$86              ; a square wave, fades in 16 steps of 7/240 s
  sta APU_PULSE+0
  lda #<LOW_TONE
  sta APU_PULSE+2
  lda #6 << 3 | >LOW_TONE
  sta APU_PULSE+3
  rts
.endproc

LOW_TONE = 1016         ; 1,789,773 / 16 / (1,016 + 1) = 110 Hz
