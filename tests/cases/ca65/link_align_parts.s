; about: every source's part of a segment is aligned by itself
; config: aligned.cfg
; also: link_align.part.s
; = 01 00 00 00 02 00 00 00 11 EE EE EE EE EE EE EE 12 00 00 00 00 00 00 00
; = 03 00 13 00 14

        .byte 1
.align 4
        .byte 2
.data
        .byte 3
