; about: .align fills with zero bytes or with the given value
; config: aligned.cfg
; = 01 00 00 00 02 EA EA EA 03 04 00 00 00 00 00 00

.byte 1
.align 4
.byte 2
.align 8, $EA
.byte 3
.align 1
.byte 4
