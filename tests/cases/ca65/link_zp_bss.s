; about: zp and bss segments take no room in the file, unless the area is filled
; config: link_bss.cfg
; = AD 10 00 8D 04 04 09 DD DD DD DD DD DD DD DD
; warning: 6

        lda zp1
        sta buf
.zeropage
zp1:    .res 2
.bss
        .res 4
buf:    .res 2
.data
        .byte 9
