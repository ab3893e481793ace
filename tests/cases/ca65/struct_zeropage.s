; about: offsets are constants, so small ones use zero page modes
; = A5 01 95 01 B1 01

.struct rec
        one .byte
        two .byte
.endstruct
        lda rec::two
        sta rec::two, x
        lda (rec::two), y
