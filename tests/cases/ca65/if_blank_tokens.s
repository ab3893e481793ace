; about: .ifblank outside of macros
; = 01 02 03

.ifblank
        .byte 1
.endif
.ifnblank something
        .byte 2
.endif
.ifblank ; comment
        .byte 3
.endif
