; about: the file of an area without a segment in use is made all the same, and a missing segment gives a warning
; config: link_files.cfg
; = 48 44 52 00 EA EA EA EA EA EA EA EA
; = out.extra:
; = tiles.bin: 00 00 00 00
; warning: link: does not exist

.segment "HEADER"
        .byte "HDR"
.segment "CODE"
        nop
