; about: errors in a loop are reported in the line of its .endrepeat
; error: 6: range error

.repeat 3, i
        .byte 254 + i
.endrepeat
