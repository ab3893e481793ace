; about: conditional assembly in a loop
; = 01 03 44 05

.repeat 6, i
.if i .mod 2
        .byte i
.elseif i = 4
        .byte $44
.endif
.endrepeat
