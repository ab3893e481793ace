; about: a bss segment with zero bytes from .byte
; = EA

.bss
        .byte 0
        .word 0
.code
        nop
