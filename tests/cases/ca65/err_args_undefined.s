; about: without -D the symbol is undefined
; error: 4: undefined

        .byte <FOO
