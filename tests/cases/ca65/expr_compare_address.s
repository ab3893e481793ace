; about: the comparison of an address is a byte
; = EA 01 00 01 A9 01

label:  nop
        .byte label = $8000, label > $9000, <label = 0
        lda #label < $8001
