; SPDX-License-Identifier: MIT
; A thin program around the tarot shuffle, for an emulator.
;
; Before reset the host writes the seed to lfsr and the number of shuffles to
; shuffle_count.  The program ends in the loop at done; status says how.
.include "tarot/tarot.inc"
.export reset, done
.exportzp status, shuffle_count

STATUS_RUNNING   = 0
STATUS_DONE      = 1
STATUS_ZERO_SEED = 2

.segment "ZEROPAGE"
status:        .res 1
shuffle_count: .res 1   ; shuffles still to do, 0..255; counts down to 0

.segment "CODE"

.proc reset
  sei
  cld
  ldx #$FF
  txs
  lda #STATUS_RUNNING
  sta status
  ; The register never leaves zero: refuse it here, once, not in every step.
  lda lfsr+0
  ora lfsr+1
  ora lfsr+2
  ora lfsr+3
  bne @seeded
    lda #STATUS_ZERO_SEED
    bne finish          ; always
@seeded:
  lda #0
  sta rng
  sta flips_left
  jsr deck_init         ; once: later shuffles go on from the deck as it lies
@shuffles:
    lda shuffle_count
    beq @shuffled
    jsr shuffle
    dec shuffle_count
    jmp @shuffles
@shuffled:
  lda #STATUS_DONE
finish:
  sta status
.endproc
; fall through
.proc done
  jmp done
.endproc
.assert done = reset + .sizeof(reset), lderror, "reset falls through to done"

.proc interrupt
  rti
.endproc

.segment "VECTORS"
  .addr interrupt, reset, interrupt
