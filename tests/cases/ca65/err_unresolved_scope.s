; about: a name that exists in a scope only
; error: 7: undefined

.scope sc
hidden: nop
.endscope
        jmp hidden
