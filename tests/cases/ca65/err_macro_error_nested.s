; about: an error in a loop in a macro is reported at the call
; error: 10: range error

.macro fill n
.repeat n, i
        .byte 254 + i
.endrepeat
.endmacro
        fill 2
        fill 3
