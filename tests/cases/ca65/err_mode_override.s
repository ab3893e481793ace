; about: overrides that do not fit the instruction or the value
; error: 8: illegal addressing mode
; error: 9: illegal addressing mode
; error: 10: illegal addressing mode
; error: 11: illegal addressing mode
; error: 12: illegal addressing mode

        lda z:$1234
        jmp z:$12
        lda f:$12
        stx a:$12, y
        lda z:$12, y
label:  nop
