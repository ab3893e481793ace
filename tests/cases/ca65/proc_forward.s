; about: a procedure can be called before its definition
; = 20 05 80 05 80 60

        jsr later
        .addr later
.proc later
        rts
.endproc
