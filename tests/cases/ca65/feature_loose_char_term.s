; about: feature loose_char_term allows double quotes around one character
; = A9 61 62 63 64 65 67 67 61 00

.feature loose_char_term
        lda #"a"
        .byte "b", 'c', "de", ("f" + 1), 1 + "f"
        .word "a"
