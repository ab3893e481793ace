; about: conditions that begin in a skipped part of a macro
; = 01 02 09

.macro choose n
.if n = 1
    .if 0
        .byte $EE
    .else
        .byte 1
    .endif
.else
    .ifdef undefined_thing
        .byte $EE
    .elseif n = 2
        .byte 2
    .else
        .byte 9
    .endif
.endif
.endmacro
        choose 1
        choose 2
        choose 3
