; SPDX-License-Identifier: MIT
; The costs of a suit of numbers for any tiles: the slow way.
;
; The numbers are gone through in order.  Of the targets' numbers before there
; matters only how many runs began at the last one and at the one before it, the
; blocks so far and whether the pair is among them: ten costs (as suits has them)
; for each (last, before), in an array that is made anew for every number.  Two
; arrays take turns; they are one area, so that a place in it is the low byte of an
; address, whichever of them it is in.
; - Three equal runs are three triplets: at most two begin at a number.
; - A block of which nothing is held can wait for the end: it is possible
;   somewhere.  So no more runs begin than the most that is held of one of their
;   three numbers, and a number of which the runs need all has no pair or triplet.
INCLUDE "riichi/riichi.inc"

SECTION "riichi target", ROM0

; \1 costs at DE and B more each go to HL where that is less.
MACRO merge
  REPT \1
    ld a, [de]
    add b
    cp [hl]
    jr nc, .more\@
      ld [hl], a
.more\@
    inc e
    inc l
  ENDR
ENDM

; E and L move on; \1 may be negative.
MACRO move_from
  IF (\1) == -1
    dec e
  ELIF (\1) != 0
    ld a, e
    add LOW(\1)
    ld e, a
  ENDC
ENDM
MACRO move_to
  IF (\1) == 1
    inc l
  ELIF (\1) != 0
    ld a, l
    add LOW(\1)
    ld l, a
  ENDC
ENDM

; \1 runs begin: the routine ways_\1 brings the costs at DE with C runs carried on
; to HL; all registers but C and D H are lost.
MACRO ways
ways_\1:
  ldh a, [target_most]
  sub c
  IF (\1) > 0
    ret c
    sub \1
  ENDC
  ret c                 ; the runs alone are too many
  ldh a, [target_own]
  ld b, a
  ld a, c
  IF (\1) > 0
    add \1
  ENDC
  sub b                 ; what is missing for the runs
  ld b, a
  jp nc, .runs_only
    ; some are held beyond the runs
    ld b, 0
    push af
    call .runs_only
    pop af
    ld b, a
.pair
    ldh a, [target_most]
    sub c
    sub 2 + (\1)
    ret c
    push af
    ld a, b
    push af
    add 2
    jr c, .pair_known   ; past zero: so many are missing
      xor a
.pair_known
    ld b, a
    DEF N = MELDS + 1 - (\1)
    move_from -COSTS + (\1)
    move_to -COSTS + WITH_PAIR + (\1)
    merge N
    pop af
    ld b, a
    pop af
    and a
    ret z               ; no room for a triplet
.triplet
    ld a, b
    add 3
    jr c, .triplet_known
      xor a
.triplet_known
    ld b, a
    DEF N = MELDS - (\1)
    move_from -(MELDS + 1 - (\1))
    move_to -COSTS + (\1) + 1
    merge N
    move_from WITH_PAIR - N
    move_to WITH_PAIR - N
    merge N
    ret
.runs_only
  DEF N = MELDS + 1 - (\1)
  IF (\1) == 0
    merge COSTS
  ELSE
    move_to \1
    merge N
    move_from WITH_PAIR - N
    move_to WITH_PAIR - N
    merge N
    ; E is \1 short of where ten costs end, L is there
  ENDC
  ret
ENDM

  ways 0
  ways 1
  ways 2

; All ways into one group with \1 runs that begin: from those at DE on, of which C
; runs are carried on, one more with each group, up to target_stop.
; out: all registers as they were, but A
MACRO into
into_\1:
  push bc
  push de
  push hl
  ld a, FAR
  REPT COSTS
    ld [hl+], a
  ENDR
  ld a, l
  sub COSTS
  ld l, a
.before
    push de
    push hl
    call ways_\1
    pop hl
    pop de
    ld a, e
    add GROUP_BEFORE
    ld e, a
    inc c
    ldh a, [target_stop]
    cp c
    jr nz, .before
  pop hl
  pop de
  pop bc
  ret
ENDM

  into 0
  into 1
  into 2

;; target – the costs of suit A, one of numbers, for any tiles.
; in:       A hand[34] melded[34]
; requires: A <= 2, sound_tiles, at_most(14)
; out:      suits[40]   (10 bytes of suit A; the others stay)
; clobbers: as target_from
; stack:    18
; cycles:   853..33494       (14 tiles at most; the most: 33444555666777)
target::
  ld b, a
  add a, a
  ld c, a
  add a, a
  add a, a
  ld e, a
  add c
  add LOW(suits)
  ld c, a               ; 10 * suit
  ld a, e
  add b
  add LOW(hand)
  ld e, a               ; 9 * suit
ASSERT @ == target_from, "target goes on into target_from"

;; target_from – the same by addresses.
; in:       C E hand[34] melded[34]   (C: low byte of the address of the suit's costs, E: of its first number in the hand)
; requires: sound_tiles, at_most(14),
;           E - (&hand & $FF) in 0..18, (E - (&hand & $FF)) % NUMBERS == 0,
;           (C - (&suits & $FF)) * NUMBERS == (E - (&hand & $FF)) * COSTS
; out:      suits[40]   (10 bytes of the suit; the others stay)
; clobbers: A BC DE HL F hram target_own target_most target_begin target_last target_before target_left target_tile target_array target_stop target_group target_costs wram target_states[180]
; stack:    18
; cycles:   838..33479        (as target)
; loops:    .number 9..9, .last 3, into_*.before 3
target_from::
  ld a, c
  ldh [target_costs], a
  ld a, e
  ldh [target_tile], a
  ld a, NUMBERS
  ldh [target_left], a
  ld d, HIGH(target_states)
  ld h, d
  ; before the first number: no runs, no blocks, nothing missing
  ld l, LOW(target_states)
  xor a
  ldh [target_array], a
  ldh [target_begin], a
  ldh [target_last], a
  ldh [target_before], a
  ld [hl+], a
  ld a, FAR
  REPT COSTS - 1
    ld [hl+], a
  ENDR
.number
    ldh a, [target_tile]
    ld l, a
    inc a
    ldh [target_tile], a
    add melded - hand - 1
    ld e, a
    ld a, [hl+]
    ldh [target_own], a
    ld b, a
    ldh a, [target_left]
    cp 3
    ld a, 0
    jr c, .begin        ; a run would go beyond 9
      ld a, b
      cp [hl]
      jr nc, .second
        ld a, [hl]
.second
      inc l
      cp [hl]
      jr nc, .third
        ld a, [hl]
.third
      cp RUNS
      jr c, .begin
        ld a, RUNS - 1
.begin
    ldh [target_begin], a
    or b
    ld b, a
    ldh a, [target_last]
    or b
    ld b, a
    ldh a, [target_before]
    or b
    jr z, .nothing      ; nothing held and no runs: all stays as it is
    ld a, [de]
    cpl
    add COPIES + 1
    ldh [target_most], a
    ldh a, [target_array]
    ld e, a
    xor TARGET_BYTES    ; to the other array
    ldh [target_array], a
    ld l, a
    ldh a, [target_before]
    inc a
    ldh [target_stop], a
    ld c, 0
.last
      ld a, l
      ldh [target_group], a
      call into_0
      ldh a, [target_begin]
      and a
      jr z, .begun
        ld a, l
        add GROUP_LAST
        ld l, a
.one
        call into_1
        ldh a, [target_begin]
        dec a
        jr z, .begun
          ld a, l
          add GROUP_LAST
          ld l, a
.two
          call into_2
.begun
      ldh a, [target_last]
      cp c
      jr z, .shift
      inc c
      ld a, e
      add GROUP_LAST
      ld e, a
      ldh a, [target_group]
      add GROUP_BEFORE
      ld l, a
      ldh a, [target_stop]
      inc a
      ldh [target_stop], a
      jr .last
.shift
    ldh a, [target_last]
    ldh [target_before], a
    ldh a, [target_begin]
    ldh [target_last], a
.nothing
    ldh a, [target_left]
    dec a
    ldh [target_left], a
    jp nz, .number
  ; No run goes beyond the last number: the first group is left.  A block of
  ; which nothing is held is missing whole.
.ended
  ldh a, [target_costs]
  ld c, a
  ldh a, [target_array]
  ld e, a
  ld a, [de]
  ldh [c], a
  inc c
  inc e
  REPT MELDS
    add 3
    ld b, a
    ld a, [de]
    cp b
    jr c, .less\@
      ld a, b
.less\@
    ldh [c], a
    inc c
    inc e
  ENDR
  ld h, HIGH(suits)
  ld a, c
  sub WITH_PAIR
  ld l, a
  FOR I, MELDS + 1
    IF I > 0
      add 3
      ld b, a
      ld a, [de]
      cp b
      jr c, .melds_less\@
        ld a, b
.melds_less\@
      ld b, a
    ELSE
      ld a, [de]
      ld b, a
    ENDC
    ld a, [hl+]
    add 2
    cp b
    jr c, .pair_less\@
      ld a, b
.pair_less\@
    ldh [c], a
    inc c
    inc e
  ENDR
  ret
ASSERT HIGH(target_states) == HIGH(hand), "D and H stay"
