; SPDX-License-Identifier: MIT
; The fast shuffle.
;
; It works in two passes.
; 1. Make the flip stream: all bytes the shuffle is likely to need, with their
;    bits reversed so that the first flip is the most significant bit.  In this
;    form a byte is a sum of one table value for the byte four before it and one
;    for the byte three before it; the register itself is never shifted.
; 2. Draw for every card, and exchange it at once.  A draw for n results,
;    2^(k-1) < n <= 2^k, cannot end before k flips, so k are taken at once; c < n
;    ends it.  How far the stream has been used up within a byte is not a
;    variable but a place in the program: one piece of code for every k and
;    number of flips left, in which all shifts are constant.
; The register and the unused flips are converted on the way in and out, so that
; shuffle, draw, flip and next_byte may be mixed freely.
INCLUDE "tarot/tarot.inc"
INCLUDE "tarot/shuffle.inc"
INCLUDE "tarot/shuffle_macros.inc"

SECTION "tarot stream", HRAM
shuffle_stream:: ds STREAM_LAST + 1

SECTION "tarot shuffle", ROM0

; Byte \1 of the stream: the sum of two table values, for the byte four before it
; in E and the byte three before it in L.  The next one is in register \2, which
; takes the new byte instead.
MACRO stream_byte
  ld a, [de]
  xor [hl]
  ldh [shuffle_stream + (\1)], a
  ld e, l
  ld l, \2
  ld \2, a
ENDM

; Pass 1: bytes 5 to STREAM_LAST of the stream.
; in: E L B C bytes 1 to 4; all registers are lost
make_stream:
  ld d, HIGH(next_by_4)
  ld h, HIGH(next_by_3)
FOR I, 5, STREAM_LAST + 1, 2
  stream_byte I, b
  stream_byte I + 1, c
ENDR
STATIC_ASSERT STREAM_LAST % 2 == 0, "make_stream makes bytes in pairs"
  ret

; Make the stream anew from the current byte on.
; in: C low byte of the current byte's address; out: C; A is lost
restream:
  push hl
  push de
  push bc
  ldh a, [c]
  ld e, a
  inc c
  ldh a, [c]
  ld l, a
  inc c
  ldh a, [c]
  ld b, a
  inc c
  ldh a, [c]
  ld c, a
  ldh [shuffle_stream + 4], a
  ld a, b
  ldh [shuffle_stream + 3], a
  ld a, l
  ldh [shuffle_stream + 2], a
  ld a, e
  ldh [shuffle_stream + 1], a
  call make_stream
  pop bc
  ld c, LOW(shuffle_stream) + 1
  pop de
  pop hl
  ret

;; shuffle – shuffle the deck: Fisher-Yates from card 77 down, with fair draws.
; in:       hram lfsr[4] rng flips_left wram deck[78]
; requires: flips_left <= 8
; out:      lfsr[4] rng flips_left deck[78]
; ensures:  flips_left <= 8
; clobbers: A BC DE HL F hram shuffle_stream[67]
; stack:    10
; cycles:   2750..      (3800 on average; 2831 at least without an overshoot)
shuffle::
  ; Byte 1 of the stream is the high byte; the other three bytes of the register
  ; are the outgoing bytes of the next three calls.
  ld h, HIGH(mirror_byte)
  ld d, HIGH(next_by_4)
  ldh a, [lfsr + 0]
  ld l, a
  ld a, [hl]
  ldh [shuffle_stream + 1], a
  ldh a, [lfsr + 1]
  ld l, a
  ld e, [hl]
  ld a, [de]
  ldh [shuffle_stream + 4], a
  ld c, a
  ldh a, [lfsr + 2]
  ld l, a
  ld e, [hl]
  ld a, [de]
  ldh [shuffle_stream + 3], a
  ld b, a
  ldh a, [lfsr + 3]
  ld l, a
  ld e, [hl]
  ld a, [de]
  ldh [shuffle_stream + 2], a
  ld l, a
  ldh a, [shuffle_stream + 1]
  ld e, a
  call make_stream
  ; The flips left need not be those of the high byte (someone may have called
  ; next_byte since): put rng in its place, its flips in the low bits.
  ld h, HIGH(mirror_byte)
  ldh a, [rng]
  ld l, a
  ld b, [hl]
  ld d, HIGH(deck)
  ld c, LOW(shuffle_stream) + 1
  ldh a, [flips_left]
  add a, a
  add a, LOW(shuffle_starts)
  ld l, a
  ld h, HIGH(shuffle_starts)
  ld a, [hl+]
  ld h, [hl]
  ld l, a
  jp hl

DEF FIRST_M EQU CARDS & (COPIES_7 - 1)
FOR P, 9
.start_{d:P}
  IF P == 8               ; a whole byte: as the next one
    dec c
  ENDC
  IF P > 0
    ld a, b
    rotate_left P & 7
    ldh [shuffle_stream + 1], a
  ENDC
  ld hl, deck + CARDS
  DEF START_P = P & 7
  jp .draw7_{d:START_P}_{d:FIRST_M}
ENDR

  group 7
  group 6
  group 5
  group 4
  group 3
  group 2

; Card 1: one flip, always enough; exchange it with card A.  Then the way out.
DEF K = 1
FOR P, 8
.draw1_{d:P}_0
  window
  ld e, a
  dec l
  ld a, [de]
  ld b, [hl]
  ld [hl], a
  ld a, b
  ld [de], a
  DEF Q = (P - 1) & 7
  ld e, Q
  ldh a, [c]
  ld l, a
  ld h, HIGH(mirror_byte)
  ld a, [hl]
  ldh [lfsr + 0], a
  IF Q == 0
    xor a                 ; no flips are left
  ELSE
    rotate_left Q         ; 8 - Q to the right
    and (1 << Q) - 1
  ENDC
  IF P != 7
    jp .unused
  ENDC
ENDR
.unused
  ldh [rng], a
  ld a, e
  ldh [flips_left], a
  ld h, HIGH(outgoing)
FOR I, 3
  inc c
  ldh a, [c]
  ld l, a
  ld a, [hl]
  ldh [lfsr + 3 - I], a
ENDR
  ret
ASSERT LOW(deck) == 0, "a card's place must be the low byte of its address"

SECTION "tarot shuffle starts", ROM0, ALIGN[5]
; Where to begin, by the flips left.
shuffle_starts:
FOR P, 9
  dw shuffle.start_{d:P}
ENDR
ASSERT HIGH(shuffle_starts) == HIGH(@ - 1), "the starts must lie in one page"
