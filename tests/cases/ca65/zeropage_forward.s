; about: a symbol defined later is absolute, with a warning where zero page was possible
; = AD 00 00 BD 00 00 B1 00 A1 00 A9 00 A5 00 96 00
; warning: 11: suspicious
; warning: 6

        lda zlater
        lda zlater, x
        lda (zlater), y
        lda (zlater, x)
        lda #zlater
        lda <zlater
        stx zlater, y
.zeropage
zlater: .res 1
