; about: a comment that is not closed
; error: 6

.feature c_comments
        nop
/* open
        nop
