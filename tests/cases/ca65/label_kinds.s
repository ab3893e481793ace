; about: labels alone on a line, before an instruction, with a constant and the program counter *
; = EA EA 00 80 01 80 02 80 02 80 0A 80 0D 80 4C 0E 80

start:
        nop
two:    nop
here = *
star := *
        .addr start, two, here, star, *, * + 1
        jmp *
