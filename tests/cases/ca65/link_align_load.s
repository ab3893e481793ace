; about: align_load without a separate run area gives a warning
; config: link_align_load.cfg
; = EA
; warning: link

        nop
