; about: .proc without a name is accepted with a warning, and is closed with .endscope
; = EA
; warning: 5

.proc
        nop
.endscope
