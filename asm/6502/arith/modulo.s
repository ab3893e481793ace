; SPDX-License-Identifier: MIT
; The remainder of a long division.
.include "arith/arith.inc"

.segment "ZEROPAGE"
dividend: .res 4        ; 32 bits, lowest byte first
divisor:  .res 1

.segment "CODE"

; One byte of the dividend: eight steps of shifting and subtracting.
.macro divide byte
  .local step, subtract, fits
  ldx #8
step:
    asl byte
    rol a               ; remainder and next bit: up to nine bits
    bcs subtract
    cmp divisor
    bcc fits
subtract:
    sbc divisor         ; carry is set by rol or by cmp
fits:
    dex
    bne step
  .assert >* = >step, lderror, "the loop must not cross a page"
.endmacro

;; modulo – the remainder of a 32-bit number divided by A.
; in:       A zp dividend[4]
; requires: A != 0
; out:      A
; ensures:  A == old dividend % old A
; clobbers: X N V Z C dividend[4] divisor
; stack:    0
; cycles:   607..719
.proc modulo
  sta divisor
  lda #0
  divide dividend+3
  divide dividend+2
  divide dividend+1
  divide dividend+0
  rts
.endproc
