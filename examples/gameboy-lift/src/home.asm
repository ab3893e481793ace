; Bank 0: what is always there: the handler, the main loop, calls into other banks.

DEF MBC1_BANK EQU $2000
EXPORT rLCDC, rBGP, rIE, rIF
DEF rIF   EQU $FF0F
DEF rLCDC EQU $FF40
DEF rBGP  EQU $FF47
DEF rIE   EQU $FFFF

SECTION "VBlank", ROM0[$0040]
  jp vblank

SECTION "Entry", ROM0[$0100]
  nop
  jp start
  ds $150 - @

SECTION "Variables", WRAM0
frames:: ds 1                 ; how often the vertical blank came
level::  ds 1                 ; the floor, 0..9
digits:: ds 2                 ; the tiles of its number

SECTION "Stack", WRAM0[$CF00]
  ds 256
stack_end:

SECTION "Home", ROM0
start::
  di
  ld sp, stack_end
  xor a
  ld [frames], a
  ld [level], a
  ld [keys], a
  ldh [rIF], a
  call screen_on
  ld a, 1                     ; the vertical blank only
  ldh [rIE], a
  ei
main_loop::
  call read_keys
  call move_lift
  call show_level
  call wait_vblank
  jr main_loop

vblank::
  push af
  ld a, [frames]
  inc a
  ld [frames], a
  pop af
  reti

; The CPU sleeps until the handler was there.
wait_vblank::
  ld a, [frames]
  ld b, a
.wait
  halt
  nop
  ld a, [frames]
  cp b
  jr z, .wait
  ret

; Colours first, then the screen: in the other order the first picture would flash.
screen_on::
  ld a, $E4
  ldh [rBGP], a
  ld a, $91
  ldh [rLCDC], a
  ret

; The digits of the floor; the code for that is in bank 2.
show_level::
  ld a, BANK(level_digits)
  ld [MBC1_BANK], a
  ld a, [level]
  jp level_digits
