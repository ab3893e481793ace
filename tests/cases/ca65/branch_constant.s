; about: behind .org a branch to a constant address is possible
; = D0 FE D0 0C F0 00

.org $8000
        bne $8000
        bne $8010
        beq *+2
