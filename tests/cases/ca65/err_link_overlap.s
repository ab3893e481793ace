; about: a start address that is already passed
; config: link_start_offset.cfg
; error: link: is too low

.segment "CODE"
        .res 10
.segment "FIXED"
        .byte 1
.segment "LATER"
        .byte 1
.segment "VECTORS"
        .byte 1
