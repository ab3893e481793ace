; about: a missing segment without optional = yes gives a warning, a standard segment always exists
; config: link_optional.cfg
; = 01
; warning: link: does not exist

.segment "EXTRA"
        .byte 1
