; about: an .if that is never closed is reported where it begins
; error: 5: never closed

        nop
.if 1
        nop
.if 0
.endif
