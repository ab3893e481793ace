; about: an = constant, a .set variable and a .proc also end the range of cheap locals
; = EA 4C 00 80 EA 4C 04 80 EA 4C 08 80 EA 4C 0C 80 EA 4C 10 80

first:
@a1:    nop
        jmp @a1
number = 5
@a1:    nop
        jmp @a1
variable .set 6
@a1:    nop
        jmp @a1
.proc p
@a1:    nop
        jmp @a1
.endproc
@a1:    nop
        jmp @a1
