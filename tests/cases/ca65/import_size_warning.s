; about: the linker warns when import and export have different sizes
; also: ext.part.s
; = A5 05
; warning: link: address size mismatch

.importzp ext
        lda ext
