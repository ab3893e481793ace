; about: an area may be filled to its last byte
; config: link_small.cfg
; = 01 01 01 01 01 01 01 01 01 02 02 02 02 02 02 02

        .res 9, 1
.data
        .res 7, 2
.zeropage
        .res 4
