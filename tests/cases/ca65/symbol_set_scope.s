; about: a .set variable used in an inner scope has its last value there
; = 01 07 05 07 05 07 07

        .byte early - 4         ; seen before its first definition: that one counts
early   .set 5
v       .set 5
.proc inner
        .byte v
        .byte ::v
.endproc
.scope
        .byte v
        .byte ::v               ; the outer scope is named: the value of this moment
.endscope
v       .set 7
.proc other
        .byte v
        .byte ::v
.endproc
early   .set 9
