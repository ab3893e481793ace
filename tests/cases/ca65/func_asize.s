; about: .asize and .isize are the register sizes, 8 on a 6502
; = 08 08

.byte .asize, .isize
