; about: one-character strings and functions of strings in expressions
; = 05 00 65 6F 05 61 62 63 64 31 32 33 6E 61 6D 65 33 2D 35 61 31 3A 3A 62
; = 31 3A 3A 62 31

.byte .strlen("hello"), .strlen(""), .strat("hello", 1), .strat("hello", 4)
.byte .strlen(.concat("ab", "cde")), .concat("ab", "cd", "")
.byte .string(123), .string(name), .string(1+2), .string(-5), .string(a1::b1), .string(::b1)
name = 5
