; about: a macro without an end
; error: 5: .endmacro

.macro open
        nop
