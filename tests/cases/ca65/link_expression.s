; about: sizes and starts of areas computed from symbols of other areas
; config: link_expression.cfg
; = 01 01 01 04 80

        .res 3, 1
.segment "NEXT"
        .addr *
