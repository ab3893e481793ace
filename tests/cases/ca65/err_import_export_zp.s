; about: a label of the code segment used as a zero page import is found by the linker only
; also: code_as_zp.part.s
; warning: link: address size mismatch
; error: 7: range error

.importzp wrong
        lda wrong
