; about: an attribute that does not exist
; config: link_bad_attribute.cfg
; error: link

        nop
