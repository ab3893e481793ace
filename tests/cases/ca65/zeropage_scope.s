; about: the symbol of an outer scope decides for a name that is not yet known inside
; = A5 00 A5 00 AD 07 80 EA

.zeropage
ptr:    .res 2
.code
.proc p
        lda ptr
        lda ::ptr
        lda inner
inner:  nop
.endproc
