; about: .repeat with and without a counter, and with zero turns
; = 01 01 01 00 00 01 01 02 04 03 09 A9 00 8D 00 12 A9 01 8D 01 12

.repeat 3
        .byte 1
.endrepeat
.repeat 4, i
        .byte i, i * i
.endrep
.repeat 0, i
        .byte $FF
.endrepeat
.repeat 1 + 1, n
        lda #n
        sta $1200 + n
.endrepeat
