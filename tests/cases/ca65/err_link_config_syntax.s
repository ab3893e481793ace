; about: a missing semicolon
; config: link_bad_syntax.cfg
; error: link

        nop
