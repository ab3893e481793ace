; about: without the feature a string is no value
; error: 4

        lda #"a"
