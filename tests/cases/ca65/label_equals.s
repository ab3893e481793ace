; about: = and := define constants, .set defines a variable that can change
; = 05 01 02 14 34 12 08

a1 = 5
a2 := $1234
a3 .set 1
        .byte a1, a3
a3 .set a3 + 1
        .byte a3
a3 .set a3 * 10
        .byte a3
        .addr a2
a4 = a5 + 1
a5 = 7
        .byte a4
