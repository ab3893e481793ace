; about: .ifdef with a scope that does not exist is an error, and with a symbol that does not exist is false
; error: 9: no such scope

.scope sc
.endscope
.ifdef sc::missing
        .byte 1
.endif
.ifdef nowhere::missing
        .byte 2
.endif
