; about: arguments are lists of tokens, replaced as they are, without parentheses around them
; = 05 06 0B 01 02 A9 05 9D 34 12 6C 34 12 74 65 78 74 60

.macro times2 v
        .byte v * 2
.endmacro
.macro join p1, p2
        .byte p1 p2
.endmacro
.macro op instruction, operand
        instruction operand
.endmacro
        times2 1 + 2
        times2 (1 + 2)
        join 5, + 6
        join {1,}, 2
        op lda, #5
        op sta, {$1234, x}
        op jmp, ($1234)
        op .byte, "text"
        op rts
