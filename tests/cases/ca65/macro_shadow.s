; about: the names of parameters hide symbols and other macros in the body
; = 01 02 09

value = 9
.macro show value
        .byte value
.endmacro
.macro show2 show
        .byte show
.endmacro
        show 1
        show2 2
        .byte value
