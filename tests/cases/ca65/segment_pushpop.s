; about: .pushseg and .popseg save and restore the current segment, also nested
; = 01 05 02 04 03

.code
        .byte 1
.pushseg
.rodata
        .byte 2
.pushseg
.data
        .byte 3
.popseg
        .byte 4
.popseg
        .byte 5
