; about: wrong arguments of string functions
; error: 8
; error: 9: range error
; error: 10
; error: 11
; error: 13

.byte .strlen(5)
.byte .strat("abc", 3)
.byte .strat("abc")
.byte .concat("a", 5)

.byte .string("a")

.byte 1
