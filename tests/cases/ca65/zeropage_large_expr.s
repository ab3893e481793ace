; about: the choice between zero page and absolute by the value of a constant expression
; = AD 00 01 A5 FF A5 FF A5 01 A5 FF AD 00 01 AD 12 00
; warning: 11

        lda $80 + $80
        lda $80 + $7F
        lda -1 & $FF
        lda ~$FE & $FF
        lda 255
        lda 256
        lda $12 + later - later
later = 3
