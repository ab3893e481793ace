; about: .res with and without a fill value
; = 01 00 00 00 EA EA 78 02

.byte 1
.res 3
.res 2, $EA
.res 0
.res 1, 'x'
.byte 2
