; about: an attribute given twice
; config: link_bad_twice.cfg
; error: link: already defined

        nop
