; about: .align in a segment without such an alignment in the configuration gives a warning of the linker
; = 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02
; warning: link: isn't aligned

.byte 1
.align 16
.byte 2
