; about: branches and labels in a part with .org
; = CA D0 FD 4C 00 03 06 00 06 03

.org $0300
loop:   dex
        bne loop
        jmp loop
after:
.reloc
        .word after - loop
        .addr after
