EXPORT rP1
DEF rP1 EQU $FF00
DEF DIRECTIONS EQU %00100000  ; bit 4 is clear: the directions are to be read
DEF NONE       EQU %00110000

SECTION "Key variables", WRAM0
keys::    ds 1                ; down up left right, from bit 3: 1 is held
pressed:: ds 1                ; those that were not held before

SECTION "Keys", ROM0

; Which directions are held, and which have just been pressed.
read_keys::
  ld a, DIRECTIONS
  ldh [rP1], a
  ldh a, [rP1]
  ldh a, [rP1]                ; the lines need a moment
  cpl
  and %1111
  ld b, a
  ld a, [keys]
  cpl
  and b
  ld [pressed], a
  ld a, b
  ld [keys], a
  ld a, NONE
  ldh [rP1], a
  ret
