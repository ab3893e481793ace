; about: without the feature /* is no comment
; error: 4

        lda #5 /* a comment */
