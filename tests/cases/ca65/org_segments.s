; about: .org holds for all segments until .reloc
; = EA 00 20 04 20 05 80 EA 01 20

.org $2000
l1:     nop
.data
l2:     nop
        .addr l2
.code
l3:     .addr l1, l3
.reloc
        .addr *
