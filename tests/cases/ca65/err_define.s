; about: .define twice, .undefine of unknown names, empty and missing arguments
; error: 9: already defined
; error: 10: no such macro
; error: 12: macro parameter
; error: 13
; error: 15

.define ONE 1
.define ONE 2
.undefine TWO
.define add2(p1, p2) p1 + p2
        .byte add2 , 2


.define 5 6
        .byte ONE
