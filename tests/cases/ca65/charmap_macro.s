; about: the mapping counts when a string is used, not when it is defined in a macro
; = 41 42 41 42 01 42 01 42

.macro text
        .byte "AB"
.endmacro
.define STR "AB"
        text
        .byte STR
.charmap 'A', 1
        text
        .byte STR
