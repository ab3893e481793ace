; about: .ifdef of a .define that is a number
; error: 5

.define NUMBER 5
.ifdef NUMBER
        nop
.endif
