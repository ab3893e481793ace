; about: labels behind .org are constants, those below $100 use the zero page modes
; = EA A5 10 95 10 A2 10

.org $10
low:    nop
        lda low
        sta low, x
        ldx #low
.reloc
