; about: symbols in a scope that follows later cannot be reached
; error: 4: no such scope

        jmp later::inner
.scope later
inner:  nop
.endscope
