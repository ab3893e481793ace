; about: segments with start and offset, the gap before them is filled even without fill = yes
; config: link_start_offset.cfg
; = 4C 08 80 AA AA AA AA AA 01 02 0A 80 AA AA AA AA 03 11 80 AA AA AA AA AA
; = AA AA AA AA 08 80 08 80

.segment "CODE"
        jmp fixed
.segment "FIXED"
fixed:  .byte 1, 2
        .addr *
.segment "LATER"
        .byte 3
        .addr *
.segment "VECTORS"
        .addr fixed, fixed
