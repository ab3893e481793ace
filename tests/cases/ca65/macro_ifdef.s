; about: a macro is not a symbol for .ifdef
; = 02 00 01

.macro mac
.endmacro
.ifdef mac
        .byte 1
.else
        .byte 2
.endif
        .byte .defined(mac), .definedmacro(mac)
