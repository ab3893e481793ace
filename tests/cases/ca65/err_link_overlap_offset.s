; about: an offset that is already passed
; config: link_start_offset.cfg
; error: link: is too small

.segment "CODE"
        nop
.segment "FIXED"
        .res 10
.segment "LATER"
        .byte 1
.segment "VECTORS"
        .byte 1
