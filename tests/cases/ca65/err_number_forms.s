; about: malformed numbers
; error: 10
; error: 11
; error: 12
; error: 13
; error: 14
; error: 15
; error: 16

.byte $
.byte %2
.byte 12AB
.word 0x10
.dword $123456789
.dword 99999999999999
.byte 1_000
