; about: feature loose_string_term allows single quotes around strings
; = 74 65 78 74 6D 6F 72 65 63 73 61 79 20 22 78 22 A9 63

.feature loose_string_term
        .byte 'text', "more", 'c', 'say "x"'
        lda #'c'
