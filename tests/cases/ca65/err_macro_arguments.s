; about: too many arguments, and arguments left over
; error: 10: too many macro parameters
; error: 11
; error: 12

.macro one p1
        .byte p1
.endmacro
        one 1
        one 1, 2
        one {1} 2
        one {1
        .byte 5
