; about: .res needs a constant count from 0 to 65535 and a byte as fill value
; error: 8: constant expression expected
; error: 9: range error
; error: 10: range error
; error: 11: range error
; error: 14: constant expression expected

.res later
.res -1
.res 65536
.res 2, 256
later = 5
label:
.res label
        nop
