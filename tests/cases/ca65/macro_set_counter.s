; about: a .set variable as a counter in a recursive macro
; = 00 01 02 03 04

count .set 0
.macro fill n
.if count < n
        .byte count
count .set count + 1
        fill n
.endif
.endmacro
        fill 3
        fill 5
