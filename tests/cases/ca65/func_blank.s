; about: .blank, .ifblank and .ifnblank
; = 01 01 01 00 01 00 00 02 01 00 01 02 01 01 01 00 01

.macro show arg, brg
.byte .blank({arg}), .blank({brg})
.ifblank arg
.byte 1
.endif
.ifnblank brg
.byte 2
.endif
.endmacro
        show
        show 1
        show 1, 2
        show , 2
        show {}, {}
        show {,}, { }
