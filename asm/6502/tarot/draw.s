; SPDX-License-Identifier: MIT
; A fair number out of coin flips (the Fast Dice Roller, by J. Lumbroso).
;
; All the time the value is one of 0..range-1, each of them as likely as the others.
; At first the range is 1 and the value 0.  A flip doubles both, and heads adds 1 to
; the value: still each is as likely as the others.  Once the range has come to n,
; the number of results, or above it, a value below n is the result.  A value of n or
; more has overshot, but is not in vain: less n, it is one of 0..range-n-1, each as
; likely as the others.  With that the flips go on.
.include "tarot.inc"

.segment "ZEROPAGE"
draw_highest: .res 1    ; the highest allowed result, n-1
draw_range:   .res 1    ; draw_value is uniform over 0..draw_range-1
draw_value:   .res 1

.segment "CODE"

;; draw – a random number 0..A, using as few flips as possible.
; in:       A zp lfsr[4] rng flips_left
; requires: A <= 127, flips_left <= 8   (the range must fit a byte)
; out:      A, lfsr[4] rng flips_left
; ensures:  A <= old A, flips_left <= 8
; invariant: @widen: draw_highest == old A, draw_value < draw_range, draw_range <= draw_highest, flips_left <= 8
; clobbers: X N V Z C draw_highest draw_range draw_value
; stack:    4
; cycles:   39..       (no bound: overshoots repeat; it ends with probability one)
.proc draw
  sta draw_highest
  lda #0
  sta draw_value
  lda #1
@widened:
    sta draw_range
    cmp draw_highest    ; C and not Z: range > highest, enough to decide
    beq @widen
    bcs @decide
@widen:
    jsr flip
    rol draw_value      ; carry: the flip
    lda draw_range
    asl a
    bne @widened        ; always: ranges before doubling are 1..127
@decide:
    lda draw_highest
    cmp draw_value
    bcs @accept
    ; Overshoot: what lies above the highest result is uniform too; keep it.
    ; value - n = value - highest - 1, and carry clear subtracts that 1.
  .if ::TAROT_REDUCTION = 1
    sec                 ; as printed: n-1 instead of n
  .endif
    lda draw_value
    sbc draw_highest
    sta draw_value
  .if ::TAROT_REDUCTION = 0
    clc                 ; sbc left the carry set
  .endif
    lda draw_range
    sbc draw_highest
    sta draw_range
    bne @widen          ; always: value < range, so range - n is at least 1
@accept:
  lda draw_value
  rts
.endproc
