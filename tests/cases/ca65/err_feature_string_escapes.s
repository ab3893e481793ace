; about: unknown escape sequences
; error: 5

.feature string_escapes
        .byte "\q"
