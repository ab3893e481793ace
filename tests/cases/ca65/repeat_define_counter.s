; about: a .define in the body of a loop is replaced first, so its text may name the counter
; = 00 00 01 01

n = 7
.define TEXT n
.repeat 2, n
        .byte TEXT, n
.endrepeat
