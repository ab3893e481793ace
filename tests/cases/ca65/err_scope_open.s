; about: a scope that is not closed
; error: 5: not closed

.proc p
        nop
