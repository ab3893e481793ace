; about: feature ubiquitous_idents allows names of instructions as macros and labels
; = FF 05 A2 06 01

.feature ubiquitous_idents
.macro lda arg
        .byte $FF, arg
.endmacro
        lda 5
        ldx #6
.macro mvn
        .byte 1
.endmacro
        mvn
