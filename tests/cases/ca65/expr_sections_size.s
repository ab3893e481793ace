; about: of a difference between segments only the first address decides the size
; = A5 05 AD 85 00 25

.zeropage
pointer: .res 2
.code
main:   lda pointer - main + $8005
        lda main - pointer - $7F7B
        .byte pointer - main + $8025
