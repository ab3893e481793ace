; about: unknown commands, and functions in the place of commands
; error: 8: not a recognized
; error: 9: not a recognized
; error: 10
; error: 11
; error: 12

.bogus
.loop 5
.strlen("a")
.sizeof
.match 1
