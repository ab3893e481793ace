; about: without .linecont a backslash is an invalid character
; error: 4

        lda #5 \
        nop
