; SPDX-License-Identifier: MIT
; The costs of suits together: the least over all ways to share out the blocks.
INCLUDE "riichi/riichi.inc"

SECTION "riichi join", ROM0

; The sum of the costs at HL and DE, if it is less than B, goes to B.
MACRO less_sum
  ld a, [de]
  add [hl]
  cp b
  jr nc, .more\@
    ld b, a
.more\@
ENDM

; The least sum of \1 + 1 costs upwards and as many downwards goes to B if it is
; less.  The direction is that of \2: 0 = HL goes up and DE down, 1 = back.
MACRO least
  FOR K, (\1) + 1
    IF K > 0
      IF (\2) == 0
        inc l
        dec e
      ELSE
        dec l
        inc e
      ENDC
    ENDC
    less_sum
  ENDR
ENDM

; The least sums for 0..4 melds at HL + 0..4 and DE + 0..4 together, to C on.
; \1 = 1: what is there already stays if it is less.
; HL ends at the last of its costs, DE at the first.
MACRO all_melds
  FOR M, MELDS + 1
    IF M > 0
      IF M % 2 == 1
        inc l
      ELSE
        inc e
      ENDC
    ENDC
    IF (\1) == 1
      ldh a, [c]
      ld b, a
    ELSE
      ld b, FAR
    ENDC
    least M, M % 2
    ld a, b
    ldh [c], a
    inc c
  ENDR
ENDM

;; join – the costs of two suits, or of more that were joined, together.
; in:       HL DE C suits[40] join_01[10] join_23[10] join_rest[10]   (HL, DE: addresses of ten costs; C: low byte of the address of others, for the answer)
; requires: place_of_costs(HL), place_of_costs(DE),
;           C in &join_01 & $FF..&join_rest & $FF, (C - (&join_01 & $FF)) % COSTS == 0, C != L, C != E
; out:      join_01[10] join_23[10] join_rest[10]   (the one that C means)
; clobbers: A BC DE HL F
; stack:    0
; cycles:   548 constant
join::
  all_melds 0
  ld a, l
  sub MELDS
  ld l, a
  ld a, e
  add WITH_PAIR
  ld e, a
  all_melds 0           ; the pair from DE
  inc l
  ld a, e
  sub WITH_PAIR
  ld e, a
  ld a, c
  sub MELDS + 1
  ld c, a
  all_melds 1           ; or from HL
  ret
ASSERT HIGH(suits) == HIGH(join_rest), "the costs must lie in one page"

;; join_wanted – the fewest tiles that are missing to a complete hand, out of costs for all suits.
; in:       HL DE melds suits[40] join_01[10] join_23[10] join_rest[10]   (HL, DE: addresses of ten costs)
; requires: place_of_costs(HL), place_of_costs(DE), melds <= MELDS
; out:      A   (shanten + 1)
; clobbers: BC DE HL F
; stack:    0
; cycles:   60..172         (172: no melds called)
join_wanted::
  ld a, [melds]
  cpl
  add MELDS + 1
  ld c, a               ; melds that are wanted
  add WITH_PAIR
  add e
  ld e, a
  ld b, FAR
  inc c
.pair_there
    less_sum
    inc l
    dec e
    dec c
    jr nz, .pair_there
  ; L is melds before the other's pair, E as many behind its melds
  ld a, [melds]
  ld c, a
  add l
  ld l, a
  ld a, e
  sub c
  ld e, a
  ld a, MELDS + 1
  sub c
  ld c, a
.pair_here
    less_sum
    inc l
    dec e
    dec c
    jr nz, .pair_here
  ld a, b
  ret
