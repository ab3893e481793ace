; about: more bytes than a memory area has room for
; config: link_small.cfg
; error: link: overflows memory area

        .res 10
.data
        .res 7
