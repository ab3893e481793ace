; about: a call of a .define with too few arguments
; error: 7
; error: 8
; original: 9

.define add2(p1, p2) p1 + p2
        .byte add2 1

        nop
