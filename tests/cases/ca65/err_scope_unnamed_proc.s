; about: .endproc does not close a .proc without a name
; warning: 5
; error: 7

.proc
        nop
.endproc
