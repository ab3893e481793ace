; about: comments, attributes in any case, missing commas, equal signs and optional parts of a configuration
; config: link_syntax.cfg
; = 4C 00 80 02

        jmp *
.segment "Odd_Name"
        .byte 2
