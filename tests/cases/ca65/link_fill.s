; about: fill = yes fills a memory area up to its size with fillval, fill values of segments fill gaps
; config: link_fill.cfg
; = 01 FF FF FF 02 FF FF FF 03 EE EE 04 FF FF FF FF FF FF FF FF FF FF FF FF
; = FF FF FF FF FF FF FF FF

.segment "CODE"
        .byte 1
.align 4
        .byte 2
        .res 2
.segment "TAIL"
        .byte 3
        .res 2
        .byte 4
