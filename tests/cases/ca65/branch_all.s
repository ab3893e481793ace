; about: all branches forward and backward
; = 90 FE B0 FC F0 FA 30 F8 D0 06 10 04 50 02 70 00

back:
        bcc back
        bcs back
        beq back
        bmi back
        bne forward
        bpl forward
        bvc forward
        bvs forward
forward:
