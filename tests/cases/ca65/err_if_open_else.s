; about: an open .else is reported where it begins
; error: 6: never closed

.if 0
        nop
.else
        nop
