; about: labels in a segment declared zeropage or absolute choose their address mode by it
; config: extra.cfg
; = A5 00 A5 01 95 01 4C 09 80 96 01

.segment "FASTZP": zp
a1:     .res 1
.segment "FASTZP"
a2:     .res 1
.segment "CODE": absolute
        lda a1
        lda a2
        sta a2, x
        jmp later
later:  stx a2, y
