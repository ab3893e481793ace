; about: a segment defined twice
; config: link_bad_segment.cfg
; error: link: defined twice

        nop
