; about: wrong formats and arguments of .sprintf
; error: 7
; error: 9
; error: 11
; error: 13

.byte .sprintf("%d")

.byte .sprintf("%c", 256)

.byte .sprintf("%d", 1, 2)

.byte .sprintf(5)

.byte 1
