; about: symbols that depend on each other
; error: 5: circular
; error: 6: circular

one = two + 1
two = one + 1
        .word one
