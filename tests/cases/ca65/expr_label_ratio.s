; about: quotients and products of addresses stay absolute, differences are small constants
; = 01 BE 00 00 AD 01 00 8D 01 00

label:  .byte 1
        ldx label - label, y
        lda label + 1 - label
        sta label / label
