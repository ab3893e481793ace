; about: conditional assembly and comments inside of .enum
; = 00 01 02

.enum state
        FIRST
.if 1
        SECOND
.else
        NEVER
.endif

        ; a comment
        THIRD
.endenum
        .byte state::FIRST, state::SECOND, state::THIRD
