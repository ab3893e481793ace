; about: feature missing_char_term allows character constants without the second quote
; = A9 61 62 63 64

.feature missing_char_term
        lda #'a
        .byte 'b, 'c', 'd
