; about: branches relative to the program counter just beyond their limits
; error: 5: range error
; error: 6: range error

        bne * + 130
        bne * - 127
