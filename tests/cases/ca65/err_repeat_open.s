; about: a .repeat without an end
; error: 5

.repeat 3
        nop
