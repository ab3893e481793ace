; about: .error reports and goes on with the assembly
; error: 7: first problem
; error: 8: range error
; error: 9: second problem

        nop
.error "first problem"
        lda #256
.error "second problem"
