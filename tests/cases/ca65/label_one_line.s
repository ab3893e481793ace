; about: a label before every kind of statement
; = 01 00 00 60 EA EA 00 01 03 03 04 05 05 06 06 03

l1: .byte 1
l2: .res 2
l3: .segment "CODE"
l4: .proc p
        rts
.endproc
l5: .if 1
        nop
.endif
l6: .macro mac
        nop
.endmacro
l7:     mac
l8: .scope s
l9: .endscope
        .byte <l1, <l2, <l3, <l4, <l5, <l6, <l7, <l8, <s::l9, <p
