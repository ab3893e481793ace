; about: feature string_escapes
; = 61 09 62 0D 0A 41 7F 22 5C 27 01 5C

.feature string_escapes
        .byte "a\tb\r\n", "\x41\x7f", "\"\\\'"
        .byte .strlen("\n")
        .byte '\'
