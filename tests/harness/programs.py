"""The program that most tests of the harness call into."""

PROGRAM = """\
.segment "ZEROPAGE"
lfsr:   .res 4
sum:    .res 1
.segment "CODE"

;; add_five – add 5 to A.
; in:       A
; out:      A
; clobbers: N V Z C
; stack:    0
; cycles:   10
.export add_five
.proc add_five
        clc
        adc #5
        rts
.endproc

;; rotate – rotate the register one bit to the left.
; in:       zp lfsr[4]
; out:      lfsr[4], C (the bit that came out)
; clobbers: N Z
; stack:    0
; cycles:   26..28
.export rotate
.proc rotate
        asl lfsr
        rol $11
        rol $12
        rol $13
        rts
.endproc

;; outer – add twice, through a helper.
; in:       A
; out:      A
; clobbers: N V Z C
; stack:    2
; cycles:   42
.export outer
.proc outer
        jsr add_five
        jsr add_five
        nop
        nop
        rts
.endproc

;; liar – claims to keep everything.
; in:       none
; out:      none
; clobbers: none
; stack:    0
; cycles:   5
.export liar
.proc liar
        pha
        ldx #0
        sec
        stx sum
        pla
        ldx #1
        rts
.endproc

; calls a liar
.export trusting
.proc trusting
        jsr liar
        rts
.endproc

.export forever
.proc forever
        ldx #3
loop:   dex
        jmp loop
.endproc

.export deeper
.proc deeper
        jsr forever
        rts
.endproc

.export crash
.proc crash
        jsr broken
        rts
.endproc
broken: .byte $07, $10

.export to_rom
.proc to_rom
        lda #1
        sta add_five
        rts
.endproc

.export away
.proc away
        jmp $4000
.endproc

.export stop
.proc stop
        brk
        nop
        rts
.endproc

.export recurse
.proc recurse
        jsr recurse
        rts
.endproc

.export pull
.proc pull
        pla
        pla
        pla
        rts
.endproc

.export twice
.proc twice
        pha
        rts
.endproc

.export handler
.proc handler
        inc sum
        rti
.endproc

.export reset, done
reset:  lda #0
        sta sum
again:  jsr bump
        lda sum
        cmp #10
        bne again
done:   jmp done

.export bump
.proc bump
        inc sum
        rts
.endproc
"""

LAYOUT = """\
MEMORY {
  ZP: start = $10, size = $F0, type = rw;
  ROM: start = $C000, size = $2000, type = ro, file = %O;
}
SEGMENTS {
  ZEROPAGE: load = ZP, type = zp;
  CODE: load = ROM, type = ro;
}
"""
