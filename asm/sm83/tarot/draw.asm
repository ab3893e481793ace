; SPDX-License-Identifier: MIT
; A fair number out of coin flips (the Fast Dice Roller, by J. Lumbroso).
;
; All the time the value is one of 0..range-1, each of them as likely as the others.
; At first the range is 1 and the value 0.  A flip doubles both, and heads adds 1 to
; the value: still each is as likely as the others.  Once the range has come to n,
; the number of results, or above it, a value below n is the result.  A value of n or
; more has overshot, but is not in vain: less n, it is one of 0..range-n-1, each as
; likely as the others.  With that the flips go on.
INCLUDE "tarot/tarot.inc"

SECTION "tarot draw", ROM0

;; draw – a random number 0..A, using as few flips as possible.
; in:       A hram lfsr[4] rng flips_left
; requires: A <= 127, flips_left <= 8   (the range must fit a byte)
; out:      A, lfsr[4] rng flips_left
; ensures:  A <= old A, flips_left <= 8
; invariant: .widen: B == old A, D < E, E <= B, flips_left <= 8
; clobbers: BC DE HL F
; stack:    6
; cycles:   20..        (no bound: overshoots repeat; it ends with probability one)
draw::
  ld b, a               ; the highest allowed result, n-1
  ld e, 1               ; D is uniform over 0..E-1
  ld d, 0
.widened
    ld a, b
    cp e                ; carry: range > highest, enough to decide
    jr c, .decide
.widen
    call flip
    rl d                ; carry: the flip
    sla e
    jr .widened
.decide
    ld a, b
    cp d
    jr nc, .accept
    ; Overshoot: what lies above the highest result is uniform too; keep it.
    ; Both lose n = highest + 1, and the carry subtracts that 1.
  IF TAROT_REDUCTION == 0
    ; scf ; set by cp, and set again below because D > B
    ld a, d
    sbc b
    ld d, a
    scf
    ld a, e
    sbc b
  ELSE                  ; as printed: n-1 instead of n
    ld a, d
    sub b
    ld d, a
    ld a, e
    sub b
  ENDC
    ld e, a
    jr .widen           ; value < range, so range - n is at least 1
.accept
  ld a, d
  ret
