; about: far procedures need a 65816
; error: 4

.proc work: far
        rts
.endproc
