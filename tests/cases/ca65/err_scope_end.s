; about: .endproc and .endscope without a beginning, or mixed up
; error: 7
; error: 8
; error: 10
; error: 13

.endproc
.endscope
.proc p
.endscope
.endproc
.scope s
.endproc
.endscope
