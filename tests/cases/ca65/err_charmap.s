; about: .charmap needs two values from 0 to 255
; error: 8: range error
; error: 9: range error
; error: 10: range error
; error: 11
; error: 13: constant expression expected

.charmap 256, 1
.charmap 1, 256
.charmap -1, 0
.charmap 'a'

.charmap later, 1
later = 1
