; about: wrong members, unknown structures and duplicate names
; error: 11: range error
; error: 12
; error: 14: already defined
; error: 15
; error: 16
; error: 18: unknown struct
; error: 21: not a struct

.struct one
        .byte -1
        nop
        first .byte
        first .byte
        bad .asciiz "x"
        r .res
.endstruct
        .tag unknown
.scope sc
.endscope
        .tag sc
        .byte one::missing
