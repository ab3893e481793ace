; about: nothing behind .end is read
; = EA

        nop
.end
        error (( "
