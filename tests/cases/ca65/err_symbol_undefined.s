; about: every undefined symbol is reported where it is used
; error: 9: undefined
; error: 8: undefined
; error: 6: undefined

        lda nothing
        ldx #<nothing
        .addr another
        .byte third + 1
