; about: the address size of a segment cannot be changed later
; error: 6: mismatch

.segment "FAST": zeropage
        .res 1
.segment "FAST": absolute
        .res 1
.code
        nop
