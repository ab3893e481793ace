; about: strings cannot be compared
; error: 4

.if "a" = "a"
.endif
