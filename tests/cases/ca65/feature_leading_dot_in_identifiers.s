; about: feature leading_dot_in_identifiers
; = EA 4C 00 80 05

.feature leading_dot_in_identifiers
.label: nop
        jmp .label
.macro .put
        .byte 5
.endmacro
        .put
