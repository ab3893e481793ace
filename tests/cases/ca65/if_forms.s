; about: any value but zero is true, conditions compare strings of tokens with .match
; = 01 02 04 05 06 07

.if 5
        .byte 1
.endif
.if -1
        .byte 2
.endif
.if 0
        .byte 3
.else
        .byte 4
.endif
.if 2 > 1 && 3 > 2
        .byte 5
.endif
.if .not 0
        .byte 6
.endif
.if .defined(foo) || 1
        .byte 7
.endif
