; about: without the feature negative values do not fit
; error: 6: range error
; error: 7: range error
; error: 8: range error

        lda #-1
        ldx #$1234
        .byte -1
