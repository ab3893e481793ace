; about: .bank needs a memory area with a bank
; error: link

label:  .word .bank(label)
