; SPDX-License-Identifier: MIT
; Seeds and shuffles: what the library is called for.
.include "tarot/tarot.inc"
.include "nes.inc"
.include "game.inc"

.segment "BSS"
seed:        .res 4     ; most significant byte first
shuffles:    .res 2     ; of that seed, low byte first
orientation: .res CARDS ; 1 where the card at that place is reversed
kept:        .res 6     ; the generator as the shuffle left it
mixed:       .res 1

; Calls of next_byte after the last byte: two decks whose presses differ little
; shall differ everywhere from the first card on.
MIXING = 12

.segment "CODE"

;; seed_from_press – stir the press into the register, and note that as the seed.
; in:       press[4] zp lfsr[4]
; out:      zp lfsr[4] seed[4]
; ensures:  not (seed[0] == 0 and seed[1] == 0 and seed[2] == 0 and seed[3] == 0)
; clobbers: A X Y N V Z C mixed
; stack:    2
.proc seed_from_press
  ; Like a checksum: what was there before is kept, and presses add up.
.repeat 4, i
  lda press + i
  eor lfsr+0
  sta lfsr+0
  jsr next_byte
.endrepeat
  lda #MIXING
  sta mixed
@mix:
    jsr next_byte
    dec mixed
    bne @mix
  ; The register never leaves zero.
  lda lfsr+0
  ora lfsr+1
  ora lfsr+2
  ora lfsr+3
  bne @usable
    inc lfsr+3
@usable:
  ldx #3
@byte:
    lda lfsr,x
    sta seed,x
    dex
    bpl @byte
  rts
.endproc

;; begin_deck – the deck in order, no flips left over, the generator at seed.
; in:       seed[4]
; out:      zp lfsr[4] rng flips_left deck[78] shuffles[2]
; clobbers: A X Y N V Z C
; stack:    2
.proc begin_deck
  ldx #3
@byte:
    lda seed,x
    sta lfsr,x
    dex
    bpl @byte
  lda #0
  sta rng
  sta flips_left
  sta shuffles+0
  sta shuffles+1
  jmp deck_init
.endproc

;; next_shuffle – shuffle the deck as it lies, and look up which cards are reversed.
; in:       seed[4] shuffles[2] press[4] zp lfsr[4] rng flips_left deck[78]
; requires: flips_left <= 8
; out:      zp lfsr[4] rng flips_left deck[78] seed[4] shuffles[2] orientation[78]
; clobbers: A X Y N V Z C kept[6] mixed shuffle_cards shuffle_power shuffle_half shuffle_chain[2] shuffle_value shuffle_kept
.proc next_shuffle
  inc shuffles+0
  bne @numbered
    inc shuffles+1
    bne @numbered
      ; there is no shuffle 65,536: a new seed
      jsr seed_from_press
      jsr begin_deck
      inc shuffles+0
@numbered:
  jsr shuffle
  ; The flips after the shuffle are looked at, not used up: the next shuffle
  ; goes on where this one ended, as in the command.
  ldx #5
@keep:
    lda lfsr,x
    sta kept,x
    dex
    bpl @keep
  lda #0
  sta mixed
@card:
    jsr flip
    ldx mixed
    lda #0
    rol a
    sta orientation,x
    inx
    stx mixed
    cpx #CARDS
    bne @card
  ldx #5
@put_back:
    lda kept,x
    sta lfsr,x
    dex
    bpl @put_back
  rts
.endproc
.assert rng = lfsr + 4 && flips_left = lfsr + 5, lderror, "the generator is six bytes in a row"
