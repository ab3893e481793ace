; The byte source of the stream vectors: next_byte plays a tape, not the register.

SECTION "tape state", HRAM
tape_at:: ds 1          ; the next byte to play

SECTION "tape", WRAM0, ALIGN[8]
tape:: ds 64

SECTION "tape next_byte", ROM0
next_byte::
  ld hl, tape_at
  ld e, [hl]
  inc [hl]
  ld d, HIGH(tape)
  ld a, [de]
  ret
