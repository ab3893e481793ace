; about: a bss segment with data gives a warning, zero bytes count as data too
; = EA
; warning: link

.bss
        .byte 5
.code
        nop
