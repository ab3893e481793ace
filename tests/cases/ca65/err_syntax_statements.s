; about: lines that are no statements
; error: 10
; error: 11
; error: 12
; error: 13
; error: 14
; error: 15
; error: 16

        5
        "text"
        (label)
        , nop
        #5
        lda #5 #6
label =

        nop
