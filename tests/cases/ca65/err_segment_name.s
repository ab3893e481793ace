; about: .segment needs a string, and the name must be valid
; error: 7
; error: 9
; error: 11
; error: 13

.segment CODE
        nop
.segment "A-B"
        nop
.segment ""
        nop
.segment "CODE": huge
        nop
