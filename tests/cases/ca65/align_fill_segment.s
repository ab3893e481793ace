; about: .align and .res without a value take the fill value of the segment
; config: link_fill.cfg
; = 01 EE EE EE 02 EE FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF
; = FF FF FF FF FF FF FF FF

.segment "TAIL"
        .byte 1
.align 4
        .byte 2
        .res 1
.align 2, 0
