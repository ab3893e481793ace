; about: a table made by a loop and expressions
; = 00 00 01 00 04 00 09 00 10 00 19 00 24 00 31 00 40 00 51 00 64 00 79 00
; = 90 00 A9 00 C4 00 E1 00 00 80 08 80 10 80 18 80

squares:
.repeat 16, i
        .byte <(i * i), >(i * i)
.endrepeat
.repeat 4, i
        .word squares + i * 8
.endrepeat
