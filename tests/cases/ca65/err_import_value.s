; about: an import has no value at assembly time
; also: ext.part.s
; error: 8: constant expression expected
; error: 9: constant expression expected
; error: 12: constant expression expected

.import ext
        .res ext
.repeat ext
.endrepeat
        lda #ext
v .set ext
