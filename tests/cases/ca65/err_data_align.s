; about: .align needs a positive constant
; error: 8: range error
; error: 9: range error
; error: 10: constant expression expected
; error: 12: range error
; error: 13: range error

.align 0
.align -1
.align later
later = 4
.align 4, 256
.align $20000
