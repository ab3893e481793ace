; about: a symbol used before its definition in the scope refers to the local one in the end
; = EA AD 07 80 4C 07 80 EA AD 00 80

value:  nop
.proc p
        lda value
        jmp value
value:  nop
.endproc
.proc q
        lda value
.endproc
