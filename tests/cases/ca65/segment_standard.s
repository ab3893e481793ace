; about: the five standard segments keep their own program counters and are linked in configuration order
; = AD 0D 80 8D 00 00 A6 02 8C 03 02 C1 D1 D2
; warning: 9

.data
        .byte $D1
.code
start:  lda value
        sta zp1
.rodata
        .byte $C1
.bss
room:   .res 3
last:   .res 1
.zeropage
zp1:    .res 2
zp2:    .res 1
.code
        ldx zp2
        sty last
.data
value:  .byte $D2
