; about: .case - makes identifiers case insensitive
; = A9 01 A9 01 4C 04 80 EA EA

.case -
Value = 1
        lda #VALUE
        lda #value
Label:  jmp LABEL
.macro Twice
        nop
        nop
.endmacro
        TWICE
