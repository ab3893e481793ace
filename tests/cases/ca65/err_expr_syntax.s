; about: malformed expressions
; error: 10
; error: 11
; error: 13
; error: 14
; error: 15
; error: 16
; error: 17

.byte (1+2
.byte 1+

.byte *2 5
.byte 1+)
.byte )
.byte [1]
.byte {1}
