; about: .org assembles for an absolute address without changing the place in the file
; = 4C 00 80 4C 00 10 4C 00 80 06 10 4C 0B 80 4C 00 10

label:  jmp label
.org $1000
abs1:   jmp abs1
        jmp label
        .addr *
.reloc
back:   jmp back
        jmp abs1
