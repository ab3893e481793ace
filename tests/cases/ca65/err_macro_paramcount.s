; about: a macro that checks its number of arguments
; error: 13: two arguments
; error: 15: two arguments

.macro two p1, p2
.if .paramcount <> 2
        .error "two arguments"
        .exitmacro
.endif
        .byte p1, p2
.endmacro
        two 1, 2
        two 1
        two 3, 4
        two
