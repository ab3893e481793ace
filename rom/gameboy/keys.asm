; SPDX-License-Identifier: MIT
; Keys, and how long somebody took to press one.
INCLUDE "gameboy.inc"

SECTION "press state", HRAM
press:: ds 4            ; loops waited, most significant byte first; DIV

SECTION "waits", WRAM0
waits:: ds 2            ; how often a key was waited for, low byte first

SECTION "keys", ROM0

; A = the keys that are pressed, and the zero flag if none is; H is lost.
MACRO read_keys
  ld a, P1_DIRECTIONS
  ldh [IO_P1], a          ; every time: some emulators look only then
  ldh a, [IO_P1]
  ldh a, [IO_P1]          ; the lines take a moment to settle
  cpl
  and $0F
  swap a
  ld h, a
  ld a, P1_BUTTONS
  ldh [IO_P1], a
  ldh a, [IO_P1]
  ldh a, [IO_P1]
  cpl
  and $0F
  or h
ENDM

;; wait_for_press – wait until no key is held, then count until one is pressed.
; in:       wram waits[2]
; out:      A hram press[4] waits[2]   (one of KEY_A to KEY_DOWN)
; clobbers: BC DE HL F
; stack:    0
wait_for_press::
  ld hl, waits
  inc [hl]
  jr nz, .held
    inc hl
    inc [hl]
.held
  ld c, 0
.released                 ; 256 times in a row, for contacts bounce
    read_keys
    jr nz, .held
    dec c
    jr nz, .released
  ld b, c
  ld d, c
  ld e, c
.count                    ; B D E, every 42 M-cycles; 24 bits last for eleven minutes
    inc de
    ld a, d
    or e
    jr nz, .same
      inc b
.same
    read_keys
    jr z, .count
  ld h, a
  ldh a, [IO_DIV]
  ldh [press + 3], a
  ld a, e
  ldh [press + 2], a
  ld a, d
  ldh [press + 1], a
  ld a, b
  ldh [press + 0], a
  ld a, h                 ; the lowest bit that is set
  cpl
  inc a
  and h
  ret
