; about: skipped parts are still split into tokens, so open strings and unknown commands are errors there
; error: 8: newline in string
; error: 9: illegal character
; error: 10: not a recognized
; error: 11

.if 0
        "open string
        it isn't
        .bogus
        $
.endif
