; SPDX-License-Identifier: MIT
; The 80 rounds of a block.
.include "sha512/sha512.inc"

; A label: here begins a step of round n of the eight, for one byte if one is given.
.macro step n, name, byte
.ifblank byte
  .ident(.sprintf("round%d_%s", n, .string(name))):
.else
  .ident(.sprintf("round%d_%s_%d", n, .string(name), byte)):
.endif
.endmacro

; One round on the words a to h in the zero page; Y is its number.  The new a
; lands where h was, so the next round has every word one place further.
; The big sigmas are sums of rotated words; byte i of such a sum takes something
; from a few bytes of the word, looked up in a table for each.
.macro round n, va, vb, vc, vd, ve, vf, vg, vh
  ; t = h + w + k
  step n, scheduled
  clc
  .repeat ::WORD, i
    lda vh + i
    adc PLANE sha512_wk, i, y
    sta sha512_t + i
  .endrepeat
  ; t += ch(e, f, g): where e has ones f, elsewhere g
  step n, ch
  clc
  .repeat ::WORD, i
    lda vf + i
    eor vg + i
    and ve + i
    eor vg + i
    adc sha512_t + i
    sta sha512_t + i
  .endrepeat
  ; t += e rotated right by 14, 18 and 41
  step n, sigma_e
  clc
  .repeat ::WORD, i
    ldx ve + (i + 1) .mod ::WORD
    lda shr6, x
    ldx ve + (i + 2) .mod ::WORD
    eor shr2_shl2, x
    ldx ve + (i + 3) .mod ::WORD
    eor shl6, x
    ; so far rotated by 14 and by 18
    step n, rotated41, i
    ldx ve + (i + 5) .mod ::WORD
    eor shr1, x
    ldx ve + (i + 6) .mod ::WORD
    eor shl7, x
    step n, summed, i
    adc sha512_t + i
    sta sha512_t + i
  .endrepeat
  ; d += t
  step n, next_e
  clc
  .repeat ::WORD, i
    lda vd + i
    adc sha512_t + i
    sta vd + i
  .endrepeat
  ; h = t + a rotated right by 28, 34 and 39
  step n, sigma_a
  clc
  .repeat ::WORD, i
    ldx va + (i + 3) .mod ::WORD
    lda shr4, x
    ldx va + (i + 4) .mod ::WORD
    eor shl4_shr2_shr7, x
    ldx va + (i + 5) .mod ::WORD
    eor shl6_shl1, x
    adc sha512_t + i
    sta vh + i
  .endrepeat
  ; h += maj(a, b, c): b, unless a and c are both different from it
  step n, maj
  clc
  .repeat ::WORD, i
    lda va + i
    eor vb + i
    tax
    and sha512_bc + i
    stx sha512_bc + i   ; a and b are the next round's b and c
    eor vb + i
    adc vh + i
    sta vh + i
  .endrepeat
  iny
.endmacro

.segment "CODE"

; At the beginning of round n of the eight in the code, whose b and c are at these places.
;; predicate at_round(n, b, c): Y in 0..ROUNDS - 1, Y % WORD == n - 1,
;;   all j in 0..7: sha512_bc[j] == (sha512_v[b + j] ^ sha512_v[c + j])

;; sha512_rounds – mix a block's scheduled words into the working words.
; in:       zp sha512_v[64] sha512_wk[240] sha512_wk+256[240] sha512_wk+512[160]
; out:      sha512_v[64]
; clobbers: A X Y N V Z C sha512_t[8] sha512_bc[8]
; stack:    0
; cycles:   83188 constant
; invariant: round1_scheduled: at_round(1, 8, 16)
; invariant: round2_scheduled: at_round(2, 0, 8)
; invariant: round3_scheduled: at_round(3, 56, 0)
; invariant: round4_scheduled: at_round(4, 48, 56)
; invariant: round5_scheduled: at_round(5, 40, 48)
; invariant: round6_scheduled: at_round(6, 32, 40)
; invariant: round7_scheduled: at_round(7, 24, 32)
; invariant: round8_scheduled: at_round(8, 16, 24)
; decreases: round1_scheduled: ROUNDS - Y
; decreases: round2_scheduled: ROUNDS - Y
; decreases: round3_scheduled: ROUNDS - Y
; decreases: round4_scheduled: ROUNDS - Y
; decreases: round5_scheduled: ROUNDS - Y
; decreases: round6_scheduled: ROUNDS - Y
; decreases: round7_scheduled: ROUNDS - Y
; decreases: round8_scheduled: ROUNDS - Y
.proc sha512_rounds
  v = sha512_v
  .repeat ::WORD, i
    lda v + 1 * ::WORD + i
    eor v + 2 * ::WORD + i
    sta sha512_bc + i
  .endrepeat
  ldy #0
eight:
  round 1, v+ 0, v+ 8, v+16, v+24, v+32, v+40, v+48, v+56
  round 2, v+56, v+ 0, v+ 8, v+16, v+24, v+32, v+40, v+48
  round 3, v+48, v+56, v+ 0, v+ 8, v+16, v+24, v+32, v+40
  round 4, v+40, v+48, v+56, v+ 0, v+ 8, v+16, v+24, v+32
  round 5, v+32, v+40, v+48, v+56, v+ 0, v+ 8, v+16, v+24
  round 6, v+24, v+32, v+40, v+48, v+56, v+ 0, v+ 8, v+16
  round 7, v+16, v+24, v+32, v+40, v+48, v+56, v+ 0, v+ 8
  round 8, v+ 8, v+16, v+24, v+32, v+40, v+48, v+56, v+ 0
turned:
  cpy #ROUNDS
  beq @done
  jmp eight
@done:
  rts
.endproc
