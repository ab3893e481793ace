; about: skipped parts may hold nonsense, but conditions in them are counted
; = 02

.if 0
        nonsense here (( [
        .if undefined_symbol
        .byte 1
        .elseif also_undefined
        .endif
        .macro
        .include "missing.inc"
        .error "skipped"
.else
        .byte 2
.endif
