; about: the order in the file is that of the memory areas and, in an area, that of the segments in the configuration
; config: link_order.cfg
; also: link_order.part.s
; = 11 12 31 32 21 22

.segment "THIRD"
        .byte $31
.segment "FIRST"
        .byte $11
.segment "SECOND"
        .byte $21
