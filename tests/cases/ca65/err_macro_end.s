; about: ends and commands of macros outside of a macro
; error: 6: .endmacro
; error: 7
; error: 8

.endmacro
.exitmacro
.local x1
        nop
