; about: .org needs a constant in range
; error: 7: constant expression expected
; error: 8: range error
; error: 9: range error
; error: 10

.org later
.org -1
.org $1000000
.org

later = 5
