; about: parentheses in data and in immediate operands
; = 01 03 03 A9 09 A9 35

        .byte (1), (1)+(2), ((3))
        lda #(1+2)*3
        lda #<($1234+1)
