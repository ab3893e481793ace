; about: nested .repeat with their own counters
; = 00 00 01 00 02 00 00 10 00 11 00 12 00 01

.repeat 2, i
    .repeat 3, j
        .byte i * 16 + j
        .repeat 1, k
        .byte k
        .endrepeat
    .endrepeat
        .byte i
.endrepeat
