; about: zero page modes are used when the size is known at the place of use
; = A5 12 AD 34 12 A5 00 A5 04 A5 01 A5 13 AD 68 01 A5 FF AD 00 01 A5 34 A5
; = 12 A5 34 A5 00 B5 00 B6 00 99 00 00

.zeropage
zp1:    .res 1
zp2:    .res 4
.code
small = $12
large = $1234
        lda small
        lda large
        lda zp1
        lda zp2 + 3
        lda zp2 - zp1
        lda small + 1
        lda small * 20
        lda $00FF
        lda $0100
        lda <large
        lda >large
        lda large & $FF
        lda large - large
        lda zp1, x
        ldx zp1, y
        sta zp1, y
