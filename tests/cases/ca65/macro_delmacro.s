; about: .delmacro and .delmac remove a macro, so that it can be defined anew
; = 01 02 4C 02 80

.macro value
        .byte 1
.endmacro
        value
.delmacro value
.macro value
        .byte 2
.endmacro
        value
.delmac value
value:  jmp value
