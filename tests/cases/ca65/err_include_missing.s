; about: .include of a missing file
; error: 5: cannot open
; error: 6

.include "missing.inc"
.include
        nop
