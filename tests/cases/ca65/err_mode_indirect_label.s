; about: the label of an absolute segment is no zero page pointer
; error: 5: illegal addressing mode

label:  lda (label), y
        lda (label, x)
