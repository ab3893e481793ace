; about: .bank of a label is no byte without <
; config: banks.cfg
; error: 6: range error

.segment "BANK0"
l0:     .byte .bank(l0)
