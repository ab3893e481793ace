; about: .exitmacro in a macro called by a macro leaves the inner one only
; = 01 02

.macro inner v
.if v > 2
        .exitmacro
.endif
        .byte v
.endmacro
.macro outer
        inner 1
        inner 3
        inner 2
.endmacro
        outer
