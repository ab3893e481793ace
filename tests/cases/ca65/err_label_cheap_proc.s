; about: cheap locals of a procedure are unknown behind it
; error: 7: undefined

.proc work
@loop:  jmp @loop
.endproc
        jmp @loop
