; about: .set needs a constant value
; error: 4: constant expression expected

v .set later
later = 5
        .byte v
