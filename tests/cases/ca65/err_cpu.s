; about: instructions of other processors, unknown processors and an empty stack
; error: 10: illegal addressing mode
; error: 11
; error: 12
; error: 13
; error: 14
; error: 15: cpu stack is empty
; error: 16: not a recognized

        lda ($12)
        stz $12
        lax $12
.setcpu "6510"
.setcpu 6502
.popcpu
.p02x
        nop
