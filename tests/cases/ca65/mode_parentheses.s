; about: a parenthesis at the begin of an operand means indirect, inside of an expression it does not
; = B5 13 B5 12 6C 34 12 6C 35 12 A1 12 B1 12 A9 12 A5 34

        lda 1+($12), x
        lda +($12), x
        jmp ($1234)
        jmp ($1234+1)
        lda ($10+2, x)
        lda (($10+2)*1), y
        lda #($12)
        lda <($1234)
