; about: malformed .repeat
; error: 7: range error
; error: 10: constant expression expected
; error: 14
; error: 17

.repeat -1
        nop
.endrepeat
.repeat later
        nop
.endrepeat
later = 2
.repeat 2, 5
        nop
.endrepeat
.endrepeat
