; about: labels made with the counter, and unnamed and cheap labels in a loop
; = 00 01 02 00 80 01 80 02 80 CA D0 FD CA D0 FD 4C 0F 80 4C 12 80

.repeat 3, i
.ident(.sprintf("label%d", i)): .byte i
.endrepeat
        .addr label0, label1, label2
.repeat 2
:       dex
        bne :-
.endrepeat
.repeat 2, i
.scope
here:   jmp here
.endscope
.endrepeat
