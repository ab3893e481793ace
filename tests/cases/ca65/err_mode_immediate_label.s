; about: the address of a label is no immediate operand
; error: 4: range error

label:  lda #label
