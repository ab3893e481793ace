; What the board does: it waits for bytes and answers with their decimal digits.

.import to_decimal, put, get, ring
.importzp ring_head, ring_tail
.export reset, poll, SERIAL_STATUS, SERIAL_DATA

SERIAL_STATUS := $8000      ; bit 7: a byte has come
SERIAL_DATA   := $8001

.segment "CODE"

reset:
  cld
  ldx #$FF
  txs
  inx
  stx ring_head
  stx ring_tail
@wait:
  jsr poll
  jsr get
  bcs @wait                 ; nothing has come yet
  jsr to_decimal
  jmp @wait

;; poll – a byte that has come at the serial port goes into the ring.
; in:       volatile SERIAL_STATUS[1] volatile SERIAL_DATA[1], ring_head ring_tail ring[16]
; requires: ring_head < 16, ring_tail < 16
; out:      ring_head ring[16]
; ensures:  ring_head < 16, ring_head == old ring_head or ring_head == (old ring_head + 1) % 16
; clobbers: A X Y N V Z C
; stack:    2
; cycles:   12..55
.proc poll
  bit SERIAL_STATUS
  bmi @one
  rts
@one:
  lda SERIAL_DATA
  jmp put                   ; a full ring loses it
.endproc

.segment "VECTORS"
  .word reset, reset, reset
