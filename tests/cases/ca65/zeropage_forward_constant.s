; about: a constant that is defined by a later one takes its value but not its size
; = AD 06 00 A5 06 A5 05

one = two + 1
        lda one
two = 5
        lda one
        lda two
