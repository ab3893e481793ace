; about: unknown functions in expressions
; error: 5: not a recognized
; error: 7: not a recognized

.byte .bogus

.byte .bogus(5) + 1
