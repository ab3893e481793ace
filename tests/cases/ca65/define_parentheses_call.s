; about: parentheses in a call of a .define belong to the arguments
; = 06 07 01 02

.define twice(p1) 2 * p1
.define first(p1, p2) .byte p1
        .byte twice(3)
        .byte twice {(3)} + 1
        first {1, 2}, 3
