; about: the counter hides a symbol of the same name in the loop
; = 00 01 00 A9 00 01 01 02 A9 01 09

i = 9
.repeat 2, i
        .byte i, .strlen(.string(i)), i+i
        lda #i
.endrepeat
        .byte i
