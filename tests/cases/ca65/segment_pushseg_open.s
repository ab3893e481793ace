; about: a .pushseg without .popseg gives a warning only
; = EA EA
; warning: 9: segment stack is not empty

.code
.pushseg
        nop
.rodata
        nop
