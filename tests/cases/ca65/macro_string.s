; about: strings and identifiers as macro arguments
; = 05 68 65 6C 6C 6F 00 80 66 69 72 73 74 02 61 62 0D 80 73 65 63 6F 6E 64

.macro text str, name
name:   .byte .strlen(str), str
        .addr name
        .byte .string(name)
.endmacro
        text "hello", first
        text .concat("a", "b"), second
