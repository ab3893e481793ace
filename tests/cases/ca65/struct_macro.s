; about: conditional assembly and macros inside of a structure
; args: -D WIDE
; = 00 01 02 04 05

.macro pair n1, n2
        n1 .byte
        n2 .byte
.endmacro
.struct rec
        pair one, two
.ifdef WIDE
        value .word
.else
        value .byte
.endif
        last .byte
.endstruct
        .byte rec::one, rec::two, rec::value, rec::last, .sizeof(rec)
