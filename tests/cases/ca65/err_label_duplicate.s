; about: symbols defined twice, or as two kinds
; error: 8: already defined
; error: 10: already defined
; error: 13
; error: 15: already defined

one:    nop
one:    nop
two = 1
two = 2
three .set 1
three .set 2
three = 3
four = 1
four .set 2
