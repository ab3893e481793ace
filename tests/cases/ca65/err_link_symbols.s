; about: an import of the configuration that no source defines
; config: link_symbols.cfg
; error: link: unresolved external

        nop
