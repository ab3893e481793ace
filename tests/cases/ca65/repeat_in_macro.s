; about: .repeat in a macro with arguments as limits
; = 00 03 06 09 00 05

.macro table n, step
.repeat n, i
        .byte i * step
.endrepeat
.endmacro
        table 4, 3
        table 0, 1
        table 2, 5
