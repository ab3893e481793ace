; Bank 0: what is always there, and how to call what is in another bank.

DEF MBC1_BANK EQU $2000

SECTION "Entry", ROM0[$0100]
  nop
  jp start
  ds $150 - @

SECTION "Variables", WRAM0
paid::  ds 2                ; for an item, and for a night
done::  ds 1

SECTION "Home", ROM0[$0150]
start::
  di
  ld sp, $E000
  ld b, 2
  ld hl, price
  ld a, BANK(price)
  call far_call
  ld [paid + 0], a
  ld b, 60
  ld hl, night
  ld a, BANK(night)
  call far_call
  ld [paid + 1], a
  ld a, 1
  ld [done], a
.halt
  jr .halt

; Calls HL in bank A, with B in A.  It writes to the cartridge's mapper, so it has no contract to be
; called by: the test runs it on a whole Game Boy.
far_call::
  ld [MBC1_BANK], a
  ld a, b
  jp hl
