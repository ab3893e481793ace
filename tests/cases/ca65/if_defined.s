; about: .ifdef and .ifndef with symbols, options, labels to come and scopes
; args: -D OPTION -D NUMBER=3
; = 01 03 00 03 04 05 06 08

one = 1
.scope sc
two = 2
.endscope
.ifdef one
        .byte 1
.endif
.ifdef later
        .byte 2
.endif
.ifndef later
        .byte 3
.endif
.ifdef OPTION
        .byte OPTION, NUMBER
.endif
.ifdef sc::two
        .byte 4
.endif
.ifndef sc::three
        .byte 5
.endif
.ifdef ::one
        .byte 6
.endif
.ifdef sc
        .byte 7
.endif
.proc p
.ifdef one
        .byte 8
.endif
one:
.endproc
later = 2
