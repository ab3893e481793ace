; about: feature dollar_is_pc
; = EA 4C 01 80 04 80 07 80 10 00

.feature dollar_is_pc
        nop
        jmp $
        .addr $, $ + 1, $10
