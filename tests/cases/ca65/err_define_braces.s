; about: braces are no part of expressions
; error: 4

        .byte {5}
