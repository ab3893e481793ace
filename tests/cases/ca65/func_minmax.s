; about: .min and .max
; = EA 01 02 05 00 03 03 0A

label:  nop
        .byte .min(1, 2), .max(1, 2), .min(<-1, 5), .max(0, -1), .max(.min(3, 5), 2)
        .byte .min(later, 3), .max(later, 3)
later = 10
