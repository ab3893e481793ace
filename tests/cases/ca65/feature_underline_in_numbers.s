; about: feature underline_in_numbers
; = 34 12 A5 00 E8 03 0A

.feature underline_in_numbers
        .word $12_34, %1010_0101, 1_000
        .byte 1__0
