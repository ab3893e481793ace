; about: a writable segment does not fit a read-only area
; config: link_ro.cfg
; error: link

        nop
