; about: conditions behind the branch taken are not evaluated
; = 01

.if 1
        .byte 1
.elseif undefined_symbol
        .byte 2
.else
        .byte 3
.endif
