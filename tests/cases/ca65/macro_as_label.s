; about: a symbol and a macro may share a name, at the begin of a statement it is the macro
; = 01 A9 05

mac = 5
.macro mac
        .byte 1
.endmacro
        mac
        lda #mac
