; about: a segment of type overwrite replaces bytes of others
; config: link_overwrite.cfg
; = 11 11 22 33 11 11 11 11

.segment "CODE"
        .res 8, $11
.segment "PATCH"
        .byte $22, $33
