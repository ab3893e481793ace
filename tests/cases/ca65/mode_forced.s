; about: operands without a zero page form are absolute, and the other way round
; = B9 12 00 4C 12 00 20 12 00 96 12 94 12 B1 12 6C 12 00 B6 12

        lda $12, y
        jmp $12
        jsr $12
        stx $12, y
        sty $12, x
        lda ($12), y
        jmp ($12)
        ldx $12, y
