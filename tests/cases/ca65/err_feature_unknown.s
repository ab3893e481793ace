; about: unknown features, among them some of later versions
; error: 8: invalid feature
; error: 9: invalid feature
; error: 10: invalid feature
; error: 11: invalid feature
; error: 12

.feature no_such_feature
.feature line_continuations
.feature long_jsr_jmp_rts
.feature at_in_identifiers, bogus
.feature
