; about: arithmetic with zero page imports keeps the zero page, > and < give bytes
; also: ext.part.s
; = A5 07 B5 07 B1 06 A9 06 B6 05

.importzp extzp
        lda extzp+1
        lda extzp+1, x
        lda (extzp), y
        lda #extzp
        ldx extzp-1, y
