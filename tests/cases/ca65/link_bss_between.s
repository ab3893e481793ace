; about: a bss segment between others in an area with a file takes room for the addresses only
; config: link_bss_between.cfg
; = 4C 06 80 09

        jmp last
.bss
        .res 3
.data
last:   .byte 9
