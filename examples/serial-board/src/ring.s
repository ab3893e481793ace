; A ring of 16 bytes, of which 15 may wait: full and empty look different.

.export put, get, ring
.exportzp ring_head, ring_tail

RING_SIZE = 16

.segment "ZEROPAGE"
ring_head: .res 1           ; where the next byte goes
ring_tail: .res 1           ; where the oldest one is

.segment "BSS"
ring: .res RING_SIZE
.assert <ring + RING_SIZE <= $100, lderror, "the ring crosses a page: indexing would take longer"

.segment "CODE"

;; put – a byte goes into the ring.
; in:       A ring_head ring_tail ring[16]
; requires: ring_head < 16, ring_tail < 16
; out:      C, ring_head ring[16]
; ensures:  C == (ring_tail == (old ring_head + 1) % 16),
;           C == 0 -> ring[old ring_head] == old A and ring_head == (old ring_head + 1) % 16,
;           C == 1 -> ring_head == old ring_head,
;           all j in 0..15: j == old ring_head or ring[j] == old ring[j]
; clobbers: A X Y N V Z
; stack:    1
; cycles:   32..41
.proc put
  ldx ring_head
  pha
  txa
  clc
  adc #1
  and #RING_SIZE - 1
  tay
  pla
  cpy ring_tail
  beq @full                 ; and the comparison has set the carry
  sta ring,x
  sty ring_head
  clc
@full:
  rts
.endproc

;; get – the oldest byte leaves the ring.
; in:       ring_head ring_tail ring[16]
; requires: ring_head < 16, ring_tail < 16
; out:      A C, ring_tail
; ensures:  C == (old ring_tail == ring_head),
;           C == 0 -> A == ring[old ring_tail] and ring_tail == (old ring_tail + 1) % 16,
;           C == 1 -> A == 0 and ring_tail == old ring_tail
; clobbers: A X Y N V Z
; stack:    0
; cycles:   17..33
.proc get
  ldx ring_tail
  cpx ring_head
  beq @empty                ; and the comparison has set the carry
  ldy ring,x
  txa
  clc
  adc #1
  and #RING_SIZE - 1
  sta ring_tail
  tya
  clc
  rts
@empty:
  lda #0                    ; without it A would depend on what it was
  rts
.endproc
