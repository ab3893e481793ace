; about: an import takes the address size of the current segment
; also: ext.part.s
; = A5 06

.zeropage
.import extzp
.code
        lda extzp
