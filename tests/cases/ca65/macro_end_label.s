; about: a label before a macro call and cheap locals inside of a macro belong to the place of the call
; = CA D0 FD CA D0 FD D0 FB

.macro loop_down
@loop:  dex
        bne @loop
.endmacro
one:    loop_down
two:    loop_down
        bne @loop
