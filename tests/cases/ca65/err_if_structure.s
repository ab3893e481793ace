; about: .else, .elseif and .endif without .if, and twice
; error: 8
; error: 9
; error: 10
; error: 13: duplicate .else
; error: 17: duplicate .else

.else
.elseif 1
.endif
.if 1
.else
.else
.endif
.if 1
.else
.elseif 0
.endif
