; about: several output files, and several areas in one file
; config: link_files.cfg
; = 48 44 52 00 4C 00 80 EA EA EA EA EA
; = out.extra: 33
; = tiles.bin: 11 22 00 00

.segment "HEADER"
        .byte "HDR"
.segment "CODE"
start:  jmp start
.segment "TILES"
        .byte $11, $22
.segment "EXTRA"
        .byte $33
