; SPDX-License-Identifier: MIT
; One output.
INCLUDE "mt19937/mt19937.inc"

DEF MATRIX   EQU $9908B0DF
DEF TEMPER_B EQU $9D2C5680
DEF TEMPER_C EQU $EFC60000

; HL = the pointer at \1 in HRAM.
MACRO point
  ldh a, [\1 + 0]
  ld l, a
  ldh a, [\1 + 1]
  ld h, a
ENDM

; The pointer at \1 in HRAM = HL.
MACRO point_on
  ld a, l
  ldh [\1 + 0], a
  ld a, h
  ldh [\1 + 1], a
ENDM

SECTION "mt19937 next", ROM0

;; mt_next – renew one word of the state and return it tempered.
; in:       hram mt_this[2] mt_ahead[2] mt_state[2500]
; requires: mt_seeded
; out:      mt_y[4] mt_this[2] mt_ahead[2] mt_state[2500]   (mt_y lowest byte first)
; ensures:  mt_seeded
; clobbers: A BC DE HL F
; stack:    0
; cycles:   237..290       (290: the third word goes round the end)
mt_next::
  ; BCDE = the top bit of this word and the others of the next, shifted right once
  point mt_this
REPT MT_WORD - 1
  inc l
ENDR
  ld a, [hl]
  add a, a              ; carry: the top bit
  inc hl
REPT MT_WORD - 1
  inc l
ENDR
  ld a, [hl-]
  rla                   ; the bit goes in below, and its place is taken from
  rrca                  ; the bit that would now come out
  srl a
  ld b, a
  ld a, [hl-]
  rra
  ld c, a
  ld a, [hl-]
  rra
  ld d, a
  ld a, [hl]
  rra                   ; carry: the bit that leaves
  ld e, a
  jr nc, .even
    xor LOW(MATRIX)
    ld e, a
    ld a, d
    xor LOW(MATRIX >>> 8)
    ld d, a
    ld a, c
    xor LOW(MATRIX >>> 16)
    ld c, a
    ld a, b
    xor LOW(MATRIX >>> 24)
    ld b, a
.even
  point mt_ahead
  ld a, [hl+]
  xor e
  ld e, a
  ld a, [hl+]
  xor d
  ld d, a
  ld a, [hl+]
  xor c
  ld c, a
  ld a, [hl+]
  xor b
  ld b, a
  ld a, l
  cp LOW(mt_state + MT_BYTES)
  jr nz, .ahead_inside
  ld a, h
  cp HIGH(mt_state + MT_BYTES)
  jr nz, .ahead_inside
    ; From the end to the start.  By now the first word is renewed: it is also the
    ; one behind the last.
    FOR I, MT_WORD
      ld a, [mt_state + I]
      ld [mt_state + MT_BYTES + I], a
    ENDR
    ld hl, mt_state
.ahead_inside
  point_on mt_ahead
  point mt_this
  ld a, e
  ld [hl+], a
  ld a, d
  ld [hl+], a
  ld a, c
  ld [hl+], a
  ld a, b
  ld [hl+], a
  ld a, l
  cp LOW(mt_state + MT_BYTES)
  jr nz, .this_inside
  ld a, h
  cp HIGH(mt_state + MT_BYTES)
  jr nz, .this_inside
    ld hl, mt_state
.this_inside
  point_on mt_this
.temper                 ; y ^= y >> 11
  ld h, HIGH(shr3)
  ld l, d
  ld a, [hl]
  inc h                 ; shl5
  ld l, c
  xor [hl]
  xor e
  ld e, a
  ld l, b
  ld a, [hl]
  dec h
  ld l, c
  xor [hl]
  xor d
  ld d, a
  ld l, b
  ld a, [hl]
  xor c
  ld c, a
  ; y ^= (y << 7) & b
  ld h, HIGH(shr1)
  ld l, c
  ld a, [hl]
  inc h                 ; shl7
  ld l, b
  xor [hl]
  and LOW(TEMPER_B >>> 24)
  xor b
  ld b, a
  ld l, c
  ld a, [hl]
  dec h
  ld l, d
  xor [hl]
  and LOW(TEMPER_B >>> 16)
  xor c
  ld c, a
  ld l, e
  ld a, [hl]
  inc h
  ld l, d
  xor [hl]
  and LOW(TEMPER_B >>> 8)
  xor d
  ld d, a
  ld l, e
  ld a, [hl]
  and LOW(TEMPER_B)
  xor e
  ld e, a
  ; y ^= (y << 15) & c
  ld l, c
  ld a, [hl]
  dec h
  ld l, d
  xor [hl]
  and LOW(TEMPER_C >>> 24)
  xor b
  ld b, a
  ld l, e
  ld a, [hl]
  inc h
  ld l, d
  xor [hl]
  and LOW(TEMPER_C >>> 16)
  xor c
  ld c, a
  ; y ^= y >> 18
  rrca
  rrca
  and $3F
  xor e
  ld e, a
  ld a, b
  rrca
  rrca
  ld l, a
  and $3F
  xor d
  ldh [mt_y + 1], a
  ld a, l
  and $C0
  xor e
  ldh [mt_y + 0], a
  ld a, c
  ldh [mt_y + 2], a
  ld a, b
  ldh [mt_y + 3], a
  ret
ASSERT HIGH(shl5) == HIGH(shr3) + 1 && HIGH(shl7) == HIGH(shr1) + 1, "tables that are read in turn must be neighbours"
