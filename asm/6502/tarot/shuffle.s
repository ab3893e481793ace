; SPDX-License-Identifier: MIT
; The fast shuffle.
;
; It works in three passes.
; 1. Make the flip stream: all bytes the shuffle is likely to need, with their
;    bits reversed so that the first flip is the most significant bit.  In this
;    form a byte is a sum of one table value for the byte four before it and one
;    for the byte three before it; the register itself is never shifted.
; 2. Draw an index for every card.  A draw for n = A+1 results, 2^(k-1) < n <= 2^k,
;    cannot end before k flips, so k are taken at once; c < n ends it.  How far
;    the stream has been used up within a byte is not a variable but a place in
;    the program: one piece of code for every k and number of flips left, in
;    which all shifts are constant.  X is the card (from the first of its group,
;    so that DEX ends the group), Y the place of the current byte.
; 3. Swap the cards, in straight code.
; The register and the unused flips are converted on the way in and out, so that
; shuffle, draw, flip and next_byte may be mixed freely.
.include "tarot.inc"
.include "shuffle.inc"
.include "shuffle_macros.inc"

.segment "ZEROPAGE"
shuffle_stream: .res STREAM_LAST + 1
shuffle_picks:  .res CARDS      ; the drawn index by card; [0] is not used
shuffle_value:  .res 1          ; what an overshooting draw keeps
shuffle_digits: .res 1          ; when its range is wide enough to decide
shuffle_spare:  .res 1          ; bytes (flips) that overshoots may still take
shuffle_shift:  .res 1          ; a byte of the stream on its way out
shuffle_vector: .res 2
; used by shuffle_rare.inc
shuffle_card:   .res 1
shuffle_place:  .res 1
shuffle_state:  .res 1
shuffle_left:   .res 1
shuffle_range:  .res 1
shuffle_limit:  .res 1
shuffle_cut:    .res 1

stream = shuffle_stream
picks = shuffle_picks

.segment "CODE"

.include "shuffle_draws.inc"
.include "shuffle_rare.inc"

; Pass 1: bytes 5 to STREAM_LAST of the stream, from bytes 1 to 4.  Two at a
; time, because X and Y change roles: a byte loaded as the third before one
; result is the fourth before the next.
.proc make_stream
  ldx stream+1
.repeat (::STREAM_LAST - 4) / 2, i
  ldy stream + 2*i + 2
  lda next_by_4,x
  eor next_by_3,y
  sta stream + 2*i + 5
  ldx stream + 2*i + 3
  lda next_by_4,y
  eor next_by_3,x
  sta stream + 2*i + 6
.endrepeat
.assert (::STREAM_LAST & 1) = 0, error, "make_stream makes bytes in pairs"
  rts
.endproc

;; shuffle – shuffle the deck: Fisher-Yates from card 77 down, with fair draws.
; in:       zp lfsr[4] rng flips_left deck[78]
; requires: flips_left <= 8
; out:      lfsr[4] rng flips_left deck[78]
; ensures:  flips_left <= 8
; clobbers: A X Y N V Z C shuffle_stream[69] shuffle_picks[78] shuffle_value shuffle_digits shuffle_spare shuffle_shift shuffle_vector[2] shuffle_card shuffle_place shuffle_state shuffle_left shuffle_range shuffle_limit shuffle_cut
; stack:    4
; cycles:   4780..      (6600 on average)
.proc shuffle
  ; Byte 1 of the stream is the high byte; the other three bytes of the register
  ; are the outgoing bytes of the next three calls.
  ldx lfsr+0
  lda mirror_byte,x
  sta stream+1
  ldy lfsr+3
  ldx mirror_byte,y
  lda next_by_4,x
  sta stream+2
  ldy lfsr+2
  ldx mirror_byte,y
  lda next_by_4,x
  sta stream+3
  ldy lfsr+1
  ldx mirror_byte,y
  lda next_by_4,x
  sta stream+4
  jsr make_stream
  lda #SPARE_76
  sta shuffle_spare
  ldx flips_left
  lda starts_low,x
  sta shuffle_vector
  lda starts_high,x
  sta shuffle_vector+1
  ldx rng
  lda mirror_byte,x
  ldx #CARDS-1 - 64     ; card 77 in the group from 64
  ldy #1
  jmp (shuffle_vector)
.endproc

; The flips left need not be those of the high byte (someone may have called
; next_byte since): put rng in its place, its p flips in the low bits.
.macro start p, draw
  .repeat 8 - (p)
    lsr a
  .endrepeat
  sta stream+1
  jmp draw
.endmacro
start_1: start 1, draw7::draw_1
start_2: start 2, draw7::draw_2
start_3: start 3, draw7::draw_3
start_4: start 4, draw7::draw_4
start_5: start 5, draw7::draw_5
start_6: start 6, draw7::draw_6
start_7: start 7, draw7::draw_7
start_8:
  dey                   ; a whole byte: as the next one
  start 8, draw7::draw_0

.segment "RODATA"
starts_low:
  .lobytes draw7::draw_0, start_1, start_2, start_3, start_4, start_5, start_6, start_7, start_8
starts_high:
  .hibytes draw7::draw_0, start_1, start_2, start_3, start_4, start_5, start_6, start_7, start_8
.segment "CODE"

; The way out, from last_pick.  A = lfsr+0, X flips are left.
unused_0: lsr a
unused_1: lsr a
unused_2: lsr a
unused_3: lsr a
unused_4: lsr a
unused_5: lsr a
unused_6: lsr a
unused_7: lsr a
  sta rng
  stx flips_left
  ldx stream+1,y
  lda outgoing,x
  sta lfsr+3
  ldx stream+2,y
  lda outgoing,x
  sta lfsr+2
  ldx stream+3,y
  lda outgoing,x
  sta lfsr+1

; Pass 3.  A card may be drawn for itself: then all four write its own number.
shuffle_exchanges:
.repeat CARDS - 1, i
  ldx picks + CARDS-1 - i
  lda deck + CARDS-1 - i
  ldy deck,x
  sta deck,x
  sty deck + CARDS-1 - i
.endrepeat
  rts
