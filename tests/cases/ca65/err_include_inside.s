; about: errors in an included source are reported there
; error: wrong.inc:2: range error
; error: wrong.inc:3
; error: 7: range error

.include "wrong.inc"
        lda #256
