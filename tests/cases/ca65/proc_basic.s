; about: .proc defines a label and a scope of its own
; = 20 07 80 20 0B 80 60 CA D0 FD 60 88 D0 FD 4C 07 80 4C 0B 80

main:   jsr first
        jsr second
        rts
.proc first
loop:   dex
        bne loop
        rts
.endproc
.proc second
loop:   dey
        bne loop
        jmp first::loop
.endproc
        jmp second::loop
