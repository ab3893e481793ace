; about: values outside of 0 to 255 are errors, also negative ones
; error: 8: range error
; error: 9: range error
; error: 10: range error
; error: 11: range error

.byte 255
.byte 256
.byte -1
.byte $1234, 5
.byte 'a' + 256
