; about: immediate and indirect operands must be bytes
; error: 8: range error
; error: 9: range error
; error: 10: range error
; error: 11: illegal addressing mode
; error: 12: illegal addressing mode

        lda #256
        lda #-1
        lda ($1234), y
        lda ($1234, x)
        lda $12345
        lda #label
label:  nop
