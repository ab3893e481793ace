; about: constants made of zero page labels stay in the zero page, those of code labels do not
; = A5 01 A5 02 AD 01 80 B1 01 95 01

.zeropage
ptr:    .res 4
.code
hi = ptr + 1
alias := ptr + 2
far = code + 1
code:   lda hi
        lda alias
        lda far
        lda (hi), y
        sta hi, x
