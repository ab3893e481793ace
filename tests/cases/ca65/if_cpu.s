; about: .ifp02 and its family ask for the instruction set
; = 01 00 00 01 00 06

.macro show
.ifp02
        .byte 1
.endif
.ifpsc02
        .byte 2
.endif
.ifpc02
        .byte 3
.endif
.ifp816
        .byte 4
.endif
.ifp4510
        .byte 5
.endif
        .byte 0
.endmacro
        show
.setcpu "6502X"
        show
.p02
        show
.setcpu "none"
        .byte 6
