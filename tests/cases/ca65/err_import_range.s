; about: the linker checks the range of zero page operands and bytes
; also: ext.part.s
; error: 6: range error

.importzp extzp
        lda extzp+250
        lda #extzp+250
