; about: the unstable instructions of 6502X
; = 8B 12 93 12 9F 34 12 9E 34 12 9C 34 12 9B 34 12

.setcpu "6502X"
        ane #$12
        sha ($12), y
        sha $1234, y
        shx $1234, y
        shy $1234, x
        tas $1234, y
