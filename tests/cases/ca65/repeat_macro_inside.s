; about: a macro called in a loop gets the value of the counter
; = 00 01 01 03 01 01 02 03 02 01 03 03

.macro emit v
        .byte v, .tcount({v})
.endmacro
.repeat 3, i
        emit i
        emit {i + 1}
.endrepeat
