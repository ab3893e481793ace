; about: SEGMENTS before MEMORY
; config: link_bad_order.cfg
; error: link

        nop
