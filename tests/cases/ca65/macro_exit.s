; about: .exitmacro leaves the macro at once, also within .if
; = 01 EE 44 FF 02 03 EE 33

.macro count n
        .byte n
.if n = 2
        .exitmacro
.endif
        .byte $EE
.if n = 3
        .byte $33
        .exitmac
.else
        .byte $44
.endif
        .byte $FF
.endmacro
        count 1
        count 2
        count 3
