; about: a segment in another case is missing
; config: link_syntax.cfg
; warning: link: does not exist
; error: link

.segment "ODD_NAME"
        .byte 1
