; about: .paramcount counts the parameters of the call, empty ones included
; = 00 01 02 03 03 02 02 01

.macro count p1, p2, p3
        .byte .paramcount
.endmacro
        count
        count 1
        count 1, 2
        count 1, , 3
        count , ,
        count ,
        count {1, 2}, 3
        count {}
