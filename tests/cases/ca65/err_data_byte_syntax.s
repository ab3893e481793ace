; about: missing values and commas
; error: 9
; error: 11
; error: 13
; error: 14
; error: 15
; error: 16

.byte

.byte 1,

.byte ,1
.byte 1 2
.word "ab"
.word

.byte 1; fine
