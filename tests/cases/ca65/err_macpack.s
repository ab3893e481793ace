; about: unknown macro packages
; error: 6: cannot open
; error: 7
; error: 8

.macpack nonsense
.macpack "generic"
.macpack
        nop
