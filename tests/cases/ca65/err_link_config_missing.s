; about: an area without its size
; config: link_bad_missing.cfg
; error: link: attribute is missing

        nop
