; about: a condition must be a constant that is known
; error: 8: constant expression expected
; error: 10: constant expression expected
; error: 12: constant expression expected

.import ext
label:
.if ext
.endif
.if later
.endif
.if label
.endif
later = 1
