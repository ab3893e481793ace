; about: names of segments are case sensitive
; config: link_syntax.cfg
; = 02 01

.segment "Odd_Name"
        .byte 1
.code
        .byte 2
