; about: * is the address of the statement, also inside of lists of data
; = EA 01 80 03 80 05 80 06 80 A9 09 D0 FE 4C 10 80

        nop
        .addr *, *, *
        .word * - 1
        lda #<*
        bne *
        jmp * + 3
