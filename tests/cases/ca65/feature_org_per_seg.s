; about: feature org_per_seg keeps .org for every segment
; = EA 00 20 01 20 EA 05 80

.feature org_per_seg
.org $2000
l1:     nop
.data
l2:     nop
        .addr l2
.code
l3:     .addr l1, l3
