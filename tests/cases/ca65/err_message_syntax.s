; about: messages need strings
; error: 6
; error: 7
; error: 8

.error 5
.warning later
.out
        nop
