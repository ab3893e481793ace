; about: a branch into another segment is a range error already at assembly time
; error: 4: range error

        bne other
        nop
.rodata
other:  nop
