; about: a segment that the configuration does not mention is an error of the linker
; error: link

.segment "NOWHERE"
        .byte 1
