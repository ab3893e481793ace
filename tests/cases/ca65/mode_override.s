; about: the overrides z: and a: choose the address size
; = A5 12 AD 12 00 BD 12 00 85 01 8D 00 00 B6 01 A5 12 AD 12 00

        lda z:$12
        lda a:$12
        lda a:$12, x
        sta z:later
        sta a:zp1
        ldx z:later, y
        lda z: $12
        lda A:$12
.zeropage
zp1:    .res 1
later:  .res 1
