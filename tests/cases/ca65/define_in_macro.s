; about: .define as a text that names a macro argument, and .undefine in a macro
; = 05 06 07

.macro setup value
.define CURRENT value
        .byte CURRENT
.undefine CURRENT
.endmacro
        setup 5
        setup {6, 7}
