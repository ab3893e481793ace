; about: only one of align, start and offset is allowed
; config: link_bad_both.cfg
; error: link

        nop
