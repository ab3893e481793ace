; about: a structure without an end
; error: 5

.struct one
        first .byte
