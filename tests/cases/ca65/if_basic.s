; about: .if, .elseif, .else and .endif, also nested
; = 11 22 2A 33 44 44 4B

.macro show n
.if n = 1
        .byte $11
.elseif n = 2
        .byte $22
    .if 1
        .byte $2A
    .else
        .byte $2B
    .endif
.elseif n = 3
        .byte $33
.else
        .byte $44
    .if 0
        .byte $4A
    .elseif n > 4
        .byte $4B
    .endif
.endif
.endmacro
        show 1
        show 2
        show 3
        show 4
        show 5
