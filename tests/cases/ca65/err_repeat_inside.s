; about: errors in a loop are reported in the line of its .endrepeat
; original: 7: range error
; ours: 6: range error

.repeat 3, i
        .byte 254 + i
.endrepeat
