; about: .ident makes an identifier of a string
; = EA 4C 00 80 0A 0B 04 80 05 80 05 EA 4C 0C 80

.ident("label"): nop
        jmp label
.macro make name, number
.ident(.sprintf("%s_%02X", .string(name), number)): .byte number
.endmacro
        make item, 10
        make item, 11
        .addr item_0A, item_0B
.ident(.concat("x", "y")) = 5
.byte xy
scope1: nop
.ident("@cheap"): jmp @cheap
