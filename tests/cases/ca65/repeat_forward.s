; about: labels used in a loop before their definition
; = 06 80 09 80 0C 80 A9 00 60 A9 01 60 A9 02 60

.repeat 3, i
        .addr .ident(.sprintf("routine%d", i))
.endrepeat
.repeat 3, i
.ident(.concat("routine", .string(i))):
        lda #i
        rts
.endrepeat
