; about: feature bracket_as_indirect
; = B1 12 A1 12 6C 34 12 A5 12 B5 26

.feature bracket_as_indirect
        lda [$12], y
        lda [$12, x]
        jmp [$1234]
        lda ($12)
        lda ($12+1)*2, x
