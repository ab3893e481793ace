; about: a segment in an area that does not exist
; config: link_bad_area.cfg
; error: link: invalid memory area

        nop
