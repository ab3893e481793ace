; about: macros call macros and define macros
; = 01 03 02 01 02

.macro inner value
        .byte value
.endmacro
.macro outer v1, v2
        inner v1
        inner v1 + v2
        inner {v2}
.endmacro
.macro twice name
        name 1
        name 2
.endmacro
        outer 1, 2
        twice inner
