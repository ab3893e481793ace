; about: division by zero in the linker
; also: zero.part.s
; warning: link: address size mismatch
; error: link: division by zero

.import zero
.word 5/zero
