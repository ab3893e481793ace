; about: registers and instructions cannot be labels
; error: 7
; error: 8
; error: 9
; error: 10

x:      nop
a = 1
lda:    nop
inx = 2
