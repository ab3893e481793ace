; The byte source of the stream vectors: next_byte plays a tape, not the register.
.include "tarot/tarot.inc"

.segment "ZEROPAGE"
.exportzp tape_at
tape_at: .res 1         ; the next byte to play

.segment "BSS"
.export tape
tape: .res 64

.segment "CODE"
.proc next_byte
  ldx tape_at
  inc tape_at
  lda tape,x
  rts
.endproc
