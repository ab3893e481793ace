; about: division and remainder by zero
; error: 6: division by zero
; error: 7: modulo
; error: 9: division by zero

.byte 5/0
.byte 5 .mod 0
zero = 0
.byte 5/zero
.byte 1
