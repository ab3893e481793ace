; about: wrong constructors
; error: 8: range error
; error: 9
; error: 10
; error: 11
; error: 12: range error

.constructor init, 33
.constructor
.condes init
.condes init, wrong
.condes init, 7
init:   nop
