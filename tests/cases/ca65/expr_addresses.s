; about: arithmetic with addresses that the linker resolves
; = EA 00 00 00 40 00 80 01 80 FF 80 FF 7F 80 00 00 00 01 00 01 00 00 01 01
; = 00 80 00 80

label:  nop
        .word label * 2 & $FFFF, label / 2, label & $FF00, label | 1, label ^ $FF, ~label & $FFFF, label >> 8, label << 1 & $FFFF
        .word label = $8000, label > 5
        .byte !label, label && 1, <(label .mod 7)
        .byte <-label, >-label
        .word .loword(-label)
