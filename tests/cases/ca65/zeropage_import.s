; about: .import in the zero page segment, with a size and with .importzp
; also: ext.part.s
; = A5 06 AD 05 00 A5 05 B5 06 B9 06 00 AD 06 00
; warning: 10: suspicious

.importzp extzp
.import ext
        lda extzp
        lda ext
        lda <ext
        lda extzp, x
        lda extzp, y
        lda a:extzp
