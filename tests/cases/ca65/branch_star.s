; about: branches relative to the program counter up to their limits
; = D0 7F D0 80 D0 00

        bne * + 129
        bne * - 126
        bne * + 2
