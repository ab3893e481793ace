; about: an undefined import is reported at all its uses
; also: unresolved.part.s
; error: unresolved.part.s:2: unresolved external
; error: 9: unresolved external
; error: 11: unresolved external
; error: 12: unresolved external

.import missing1, missing2
        jsr missing1
        nop
        jsr missing1
        lda missing2
