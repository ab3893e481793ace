; about: parentheses do not protect a comma in a macro argument
; = 02 02 03 03 03 01 01 01 01 01

.macro two p1, p2
        .byte .tcount({p1}), .tcount({p2})
.endmacro
        two (1, 2)
        two (1), (2)
        two 1+2, 3
        two "a, b", 'c'
        two $10, x
