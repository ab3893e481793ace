; about: names in strings are not replaced
; = 6E 61 6D 65 61 62 63

.macro text name
        .byte "name", .string(name)
.endmacro
        text abc
