; about: .tcount, .left, .mid and .right work on lists of tokens
; = 00 01 03 01 05 01 01 03 01 01 01 01 05 05 06 07 03 03 02

.macro cnt arg
.byte .tcount({arg})
.endmacro
        cnt
        cnt 1
        cnt 1+2
        cnt lda
        cnt {lda #5, x}
        cnt "string"
        cnt @x
        cnt outer::inner
        cnt .sizeof
        cnt $1234
        cnt <=
        cnt :++
        cnt {((1))}
.byte .left(1, {5, 6})
.byte .mid(2, 1, {5, 6, 7})
.byte .right(1, {5, 6, 7})
.byte .left(3, 1 + 2 + 3), .mid(0, 3, 1+2+3)
.byte .tcount(.left(2, {a b c}))
