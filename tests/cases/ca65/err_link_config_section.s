; about: an unknown section
; config: link_bad_section.cfg
; error: link

        nop
