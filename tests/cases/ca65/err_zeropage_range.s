; about: zero page operands too large for a byte at link time
; error: 9: range error

.zeropage
        .res 250
zp1:    .res 1
.code
        lda zp1 + 5
        lda zp1 + 10
        lda zp1 + 300
