; about: address modes that an instruction does not have
; error: 16: illegal addressing mode
; error: 17: illegal addressing mode
; error: 18: illegal addressing mode
; error: 19: illegal addressing mode
; error: 20
; error: 21: illegal addressing mode
; error: 22: illegal addressing mode
; error: 23: illegal addressing mode
; error: 24: illegal addressing mode
; error: 25: illegal addressing mode
; error: 26: illegal addressing mode
; error: 27: illegal addressing mode
; error: 28

        sta #5
        ldx $1234, x
        jmp ($1234, x)
        inc a
        lda ($1234), x
        asl $12, y
        stx $1234, y
        jsr ($1234)
        tax 5
        brk #1
        nop $12
        lda
        lda ($12), y, x
