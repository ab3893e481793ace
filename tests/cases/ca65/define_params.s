; about: .define with parameters in parentheses; the call needs no parentheses
; = 03 03 06 06 04 05 04

.define add2(p1, p2) p1 + p2
.define twice(p1) (p1) * 2
.define pair(p1, p2) .byte p1, p2
        .byte add2 1, 2
        .byte add2 {1}, 2
        .byte twice 3
        .byte twice 1 + 2
        pair 4, 5
        .byte add2 twice 1, 2
