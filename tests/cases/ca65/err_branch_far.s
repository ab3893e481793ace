; about: in relocatable code a branch to a constant address is a range error
; error: 4: range error

        bne $8010
        beq *
