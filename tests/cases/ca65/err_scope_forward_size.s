; about: the address size of a symbol not yet defined in its scope is taken from the symbol of the same name outside
; error: 6: range error

value = $11
.proc p
        lda value
value:  nop
.endproc
