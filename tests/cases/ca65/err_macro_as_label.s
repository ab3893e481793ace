; about: a label named like a macro calls the macro
; error: 7: too many macro parameters

.macro mac
        .byte 1
.endmacro
mac:    nop
