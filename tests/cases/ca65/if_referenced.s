; about: .ifref and .ifnref ask whether a symbol was used before
; = 02 03 20 06 80 01 60

.macro show
.ifref routine
        .byte 1
.else
        .byte 2
.endif
.ifnref routine
        .byte 3
.endif
.endmacro
        show
        jsr routine
        show
.ifref routine
routine: rts
.endif
.ifref unused
unused: rts
.endif
