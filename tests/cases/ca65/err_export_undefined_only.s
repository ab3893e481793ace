; about: an export without a definition
; error: 6
; error: 5

.export missing
.exportzp other
        nop
