; about: an overflow of an area without a file
; config: link_small.cfg
; error: link: overflows memory area

        nop
.zeropage
        .res 5
