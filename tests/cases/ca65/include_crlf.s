; about: a source with carriage returns at its line ends
; = 05 74 65 78 74 A9 44

.include "crlf.inc"
        lda #CRLF
