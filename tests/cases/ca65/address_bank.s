; about: .bank gives the bank attribute of the memory area of a label
; config: banks.cfg
; = 00 01 07 FF FF FF FF FF FF FF FF FF FF FF FF FF 00 01 A9 07 EE EE EE EE
; = EE EE EE EE EE EE EE EE 01 07 07 02 00 00 00 00 00 00 00 00 00 00 00 00

.segment "BANK0"
l0:     .byte <.bank(l0), <.bank(l1), <.bank(l2)
.segment "BANK1"
l1:     .byte <.bank(l0), <.bank(l1)
        lda #<.bank(l2)
.segment "FIXED"
l2:     .byte <.bank(l1), <.bank(l2), <.bank(*)
        .word .bank(l1) + 1
